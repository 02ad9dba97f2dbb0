// houserule: work that scripts cause inside the machine, between two interrupts.
//
// Interrupts count loop turns and calls. What a single instruction or a single
// call of the library does besides is counted here, in units of about a
// nanosecond, and paid for with one interrupt for each LUAW_UNIT. What is
// counted follows from what the script does alone: not from addresses, from
// when memory is tidied, or from what ran before.
#pragma once

#include "lstate.h"

// So much work is worth an interrupt.
#define LUAW_UNIT 128

// So much work without an interrupt is refused.
#define LUAW_MOST (size_t(64) << 20)

// Longer chains of keys with one hash are refused.
#define LUAW_CHAIN 128

// What a power takes, and the rest of a division of numbers far apart.
#define LUAW_POWER 96
#define LUAW_REST 512
#define LUAW_FAR 1048576.0

// A longer text is no number.
#define LUAW_NUMBER 256

// What a limit was, for the host (global_State::limit).
#define LUAW_DEEP 1
#define LUAW_MEMORY 2
#define LUAW_LONG 3

// What the host lets scripts spend, in interrupts; it has the same form there.
struct luaW_Budget
{
    uint64_t left;  // interrupts that are left
    uint64_t parts; // what is to be paid besides at the next one
    uint32_t turns; // so many more until the host is asked
};

// Nothing may be spent without asking.
extern luaW_Budget luaW_none;

// Whether a script goes on without asking the host; then it has paid.
inline bool luaW_goon(global_State* g)
{
    luaW_Budget* b = g->budget;

    if (LUAU_LIKELY(b->turns != 0 && b->left != 0 && b->parts == 0 && g->totalbytes <= g->tidy))
    {
        b->turns--;
        b->left--;
        return true;
    }
    return false;
}

// Goes on, or asks, where that is not yieldable.
LUAI_FUNC void luaW_turn(lua_State* L);

// Pays for all work so far; where calls may be made and memory be tidied.
LUAI_FUNC void luaW_pay(lua_State* L);

// How many more calls within calls are not noticed one by one (lroom.cpp).
#define LUAW_FRAMES 64

// Lets the next calls within calls be noticed after so many.
LUAI_FUNC void luaW_mark(lua_State* L);

// Too much work at once.
LUAI_FUNC l_noret luaW_over(lua_State* L);

// A table with keys of no order is walked through.
LUAI_FUNC l_noret luaW_unordered(lua_State* L);

// Whether two tables are told apart by what is in them alone.
#define luaW_arevalues(a, b) (((a)->safeenv & (b)->safeenv & 4) != 0)

// Whether two tables are one, or what rules have given and the same; whether two values are.
LUAI_FUNC int luaW_sametable(lua_State* L, LuaTable* a, LuaTable* b);
LUAI_FUNC int luaW_rawsame(lua_State* L, const TValue* a, const TValue* b);

// Counts work that is paid for later. Only scripts are stopped for it: functions
// of the host call this machine where no error may be raised.
#define luaW_add(L, n) \
    { \
        if (LUAU_UNLIKELY((L->global->work += (n)) > LUAW_MOST) && isLua(L->ci)) \
            luaW_over(L); \
    }

// Counts work where it can be paid for at once.
#define luaW_do(L, n) \
    { \
        if (LUAU_UNLIKELY((L->global->work += (n)) >= LUAW_UNIT)) \
            luaW_pay(L); \
    }

// Counts the code that a jump back makes run again; a loop that is left at once
// jumps forward.
#define luaW_jump(L, distance) ((L)->global->work += (distance) < 0 ? unsigned(-(distance)) : 0)
