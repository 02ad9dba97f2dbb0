// houserule: what tells one call of a rule from all others, in words.
//
// Two calls have the same words just if no rule can tell their arguments apart.
// Texts and entities are words by address, points and hexes by their numbers,
// other tables by their entries and by how these lie: who walks over a table
// meets its names in the order in which they lie, which is another one where
// they were given in another order.
#include "lua.h"

#include "lapi.h"
#include "lobject.h"
#include "lstate.h"
#include "ltable.h"

#include <string.h>

// Deeper tables do not tell calls from each other.
static const int kDeepest = 4;

// Of a table with room for more names it is not told how they lie.
static const int kMostNames = 64;

// What is said of how the entries of a table lie.
static const uint64_t kHasNames = 1u << 31;
static const uint64_t kHadNames = 1u << 30;
static const uint64_t kHasNumbers = 1u << 29;

enum Tag
{
    kNil,
    kNo,
    kYes,
    kNumber,
    kEntity,
    kText,
    kPoint,
    kTable,
    kSame,
};

static bool put(houserule_Key* key, uint64_t word)
{
    if (key->count >= key->most)
        return false;
    key->words[key->count++] = word;
    return true;
}

static bool putnumber(houserule_Key* key, double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof(word));
    return put(key, word);
}

static bool puttext(houserule_Key* key, const TString* text)
{
    if (key->textcount < key->mosttexts)
        key->texts[key->textcount] = text;
    key->textcount++;
    return put(key, uint64_t(uintptr_t(text)));
}

// Puts the two numbers of a point or hex, whose names are letters, and which of
// them lies first; one with anything else is no such thing.
static bool putpair(houserule_Key* key, LuaTable* t, uint64_t form, char first, char second)
{
    double pair[2];
    int found = 0;
    uint64_t turned = 0;
    for (int i = 0, size = sizenode(t); i < size; ++i)
    {
        LuaNode* n = gnode(t, i);
        if (ttisnil(gval(n)))
            continue;
        if (ttype(gkey(n)) != LUA_TSTRING || !ttisnumber(gval(n)) || found == 2)
            return false;
        const char* text = getstr(tsvalue(gkey(n)));
        if ((text[0] != first && text[0] != second) || text[1] != 0)
            return false;
        turned |= uint64_t(found == 0 && text[0] == second);
        pair[text[0] == second] = nvalue(gval(n));
        found++;
    }
    uint64_t frozen = t->readonly & 1;
    return found == 2 && t->sizearray == 0 && put(key, form | turned << 8 | frozen << 9) && putnumber(key, pair[0]) && putnumber(key, pair[1]);
}

static int putvalue(houserule_Key* key, const TValue* v, int depth);

// An entry, with the word of its tag before it.
static bool putentry(houserule_Key* key, const TValue* v, int depth)
{
    size_t at = key->count;
    if (!put(key, 0))
        return false;
    int tag = putvalue(key, v, depth);
    if (tag < 0)
        return false;
    key->words[at] = uint64_t(tag);
    return true;
}

// How the names of a table lie: where one is, where one was, and where it is a
// number that has found no place in the list.
static bool putlayout(houserule_Key* key, LuaTable* t)
{
    uint64_t word = uint64_t(uint32_t(t->sizearray)) << 32;
    if (t->node == &luaH_dummynode)
        return put(key, word);
    int size = sizenode(t);
    if (size > kMostNames)
        return false;
    uint64_t live = 0, dead = 0, numbers = 0;
    for (int i = 0; i < size; ++i)
    {
        LuaNode* n = gnode(t, i);
        uint64_t bit = uint64_t(1) << i;
        if (ttisnil(gval(n)))
            dead |= ttype(gkey(n)) == LUA_TNIL ? 0 : bit;
        else
        {
            live |= bit;
            numbers |= ttype(gkey(n)) == LUA_TNUMBER ? bit : 0;
        }
    }
    word |= kHasNames | uint64_t(t->lsizenode) << 16 | uint64_t(uint16_t(t->lastfree));
    word |= (dead ? kHadNames : 0) | (numbers ? kHasNumbers : 0);
    return put(key, word) && put(key, live) && (!dead || put(key, dead)) && (!numbers || put(key, numbers));
}

static bool putentries(houserule_Key* key, LuaTable* t, int depth, uint64_t form)
{
    int length = luaH_len(key->L, t);
    if (!put(key, form << 48 | uint64_t(t->readonly & 1) << 40 | uint64_t(length)) || !putlayout(key, t))
        return false;
    for (int i = 1; i <= length; ++i)
        if (!putentry(key, luaH_getnum(t, i), depth + 1))
            return false;
    // what else is in the list part belongs to no list
    for (int i = length; i < t->sizearray; ++i)
        if (!ttisnil(&t->array[i]))
            return false;

    for (int i = 0, size = sizenode(t); i < size; ++i)
    {
        LuaNode* n = gnode(t, i);
        if (ttisnil(gval(n)))
            continue;
        if (ttype(gkey(n)) == LUA_TNUMBER)
        {
            double number = nvalue(gkey(n));
            if (!(number >= 1 && number <= length && number == double(int(number))) || !putnumber(key, number))
                return false;
            continue;
        }
        if (ttype(gkey(n)) != LUA_TSTRING || !puttext(key, tsvalue(gkey(n))) || !putentry(key, gval(n), depth + 1))
            return false;
    }
    return true;
}

static int puttable(houserule_Key* key, LuaTable* t, int depth)
{
    if (depth >= kDeepest)
        return -1;
    uint64_t form = 0;
    if (t->metatable)
    {
        for (form = 1; form <= 3 && key->forms[form - 1] != t->metatable; ++form)
            ;
        if (form > 3)
            return -1;
    }
    if (!(t->readonly & 1))
        key->open++;
    if (form == 1 || form == 2)
        return (form == 1 ? putpair(key, t, form, 'x', 'y') : putpair(key, t, form, 'q', 'r')) ? kPoint : -1;
    // What no rule has given is told apart by where it lies, too.
    if (!(t->safeenv & 4))
    {
        for (size_t i = 0; i < key->ownedcount; ++i)
            if (key->owned[i] == t)
                return put(key, i) ? kSame : -1;
        if (key->ownedcount == sizeof(key->owned) / sizeof(key->owned[0]))
            return -1;
        key->owned[key->ownedcount++] = t;
    }
    return putentries(key, t, depth, form) ? kTable : -1;
}

// Puts what tells a value from others of its tag, and gives the tag; -1 where
// nothing tells it from others, or there is no room.
static int putvalue(houserule_Key* key, const TValue* v, int depth)
{
    switch (ttype(v))
    {
    case LUA_TNIL:
        return kNil;
    case LUA_TBOOLEAN:
        return bvalue(v) ? kYes : kNo;
    case LUA_TNUMBER:
        return putnumber(key, nvalue(v)) ? kNumber : -1;
    case LUA_TLIGHTUSERDATA:
        return put(key, uint64_t(uintptr_t(pvalue(v)))) ? kEntity : -1;
    case LUA_TSTRING:
        return puttext(key, tsvalue(v)) ? kText : -1;
    case LUA_TTABLE:
        return puttable(key, hvalue(v), depth);
    default:
        return -1;
    }
}

int houserule_key(lua_State* L, houserule_Key* key, int first, int count)
{
    key->L = L;
    for (int i = 0; i < count; ++i)
    {
        int tag = putvalue(key, L->base + first - 1 + i, 0);
        if (tag < 0)
            return 0;
        key->tags |= uint64_t(tag) << (4 * i);
    }
    return 1;
}
