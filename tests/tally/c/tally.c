/* A mod in C, by hand over the canonical ABI of the contract in schemas/wit/v1.
 * `houserule build tests/tally` builds it, with clang and lld. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef long long s64;

#define IMPORT(module, name) __attribute__((import_module("houserule:contract/" module "@1.0.0"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

typedef struct { const void *at; u32 count; } list;
typedef struct { const char *at; u32 size; } text;
#define TEXT(s) (s), sizeof(s) - 1

/* A node: its case, and what it holds. Of the cases this mod knows these. */
enum { NOTHING = 0, WHOLE = 2, ITEMS = 11 };
typedef struct {
    u8 is;
    union { s64 whole; struct { u32 first, count; } items; s64 room[2]; } of;
} node;

/* More than sixteen flat arguments are handed over in memory, in their order. */
typedef struct {
    text id, args;
    u8 gives;
    text returns, effects;
    text doc;
    list cites;
    u8 stays;
    text file;
    u32 line, function;
} definition;

IMPORT("registration", "define")
void define(const definition *);
IMPORT("registration", "wrap")
void wrap(const char *, u32, const text *, u32, const text *, u32, const text *, u32, u32, const char *, u32, u32, u32);
IMPORT("calls", "base")
void base(const node *, u32, list *);
IMPORT("calls", "call")
void rule(const char *, u32, const node *, u32, list *);

/* Memory is handed out and never taken back: an instance lives for one step. */
extern u8 __heap_base;
static u32 top;

EXPORT("cabi_realloc")
void *cabi_realloc(void *old, u32 had, u32 align, u32 wanted) {
    if (!top) top = (u32)&__heap_base;
    u32 at = (top + align - 1) / align * align;
    top = at + wanted;
    u32 pages = (top + 65535) / 65536, there = __builtin_wasm_memory_size(0);
    if (pages > there && __builtin_wasm_memory_grow(0, pages - there) == (u32)-1) __builtin_trap();
    for (u32 i = 0; i < had && i < wanted; i++) ((u8 *)at)[i] = ((u8 *)old)[i];
    return (void *)at;
}

enum { TWICE, MORE };

EXPORT("register")
void registering(void) {
    static const definition twice = {
        {TEXT("tally.count.twice")}, {TEXT("n: integer")}, 1, {TEXT("integer")}, {TEXT("")}, {TEXT("twice a number")},
        {0, 0}, 0, {TEXT("c/tally.c")}, __LINE__, TWICE,
    };
    define(&twice);
    static const text cites[] = {{TEXT("tally.count.more")}};
    wrap(TEXT("both.play.sum"), 0, 0, 0, 0, cites, 1, 0, TEXT("c/tally.c"), __LINE__, MORE);
    wrap(TEXT("both.play.asked"), 0, 0, 0, 0, cites, 1, 0, TEXT("c/tally.c"), __LINE__, MORE);
}

/* The n-th of the arguments, which are a list of numbers. */
static s64 number(const node *args, u32 n) {
    return args[args[0].of.items.first + n].of.whole;
}

/* What `call` gives: a value of one node. */
static struct { u8 is_fault; list value; u32 room[16]; } result;
static node answer;

EXPORT("call")
void *call(u32 function, const node *args, u32 count) {
    answer.is = WHOLE;
    if (function == TWICE) {
        answer.of.whole = 2 * number(args, 0);
    } else {
        static const node fifty[] = {{ITEMS, {.items = {1, 1}}}, {WHOLE, {.whole = 50}}};
        list under, more;
        base(args, count, &under);
        rule(TEXT("tally.count.twice"), fifty, 2, &more);
        answer.of.whole = ((const node *)under.at)->of.whole + ((const node *)more.at)->of.whole;
    }
    result.is_fault = 0;
    result.value.at = &answer;
    result.value.count = 1;
    return &result;
}
