// houserule: what rules give is told apart by what is in it, and not by where it
// lies: whether two answers are one table depends on what was kept.
#include "lua.h"

#include "lgc.h"
#include "lobject.h"
#include "lstate.h"
#include "ltable.h"
#include "lvm.h"
#include "lwork.h"

static bool sametable(lua_State* L, LuaTable* a, LuaTable* b);

static bool samevalue(lua_State* L, const TValue* a, const TValue* b)
{
    if (ttype(a) == LUA_TTABLE && ttype(b) == LUA_TTABLE)
        return sametable(L, hvalue(a), hvalue(b));
    return luaO_rawequalObj(a, b);
}

static int entries(const LuaTable* t)
{
    int count = 0;
    for (int i = 0; i < t->sizearray; ++i)
        count += !ttisnil(&t->array[i]);
    for (int i = 0, size = sizenode(t); i < size; ++i)
        count += !ttisnil(gval(gnode(t, i)));
    return count;
}

// Data that is read-only to the bottom holds no table twice within itself in a
// way that leads back.
static bool sametable(lua_State* L, LuaTable* a, LuaTable* b)
{
    if (a == b)
        return true;
    luaW_add(L, a->sizearray + sizenode(a) + b->sizearray + sizenode(b));
    if (a->metatable != b->metatable || entries(a) != entries(b))
        return false;
    for (int i = 0; i < a->sizearray; ++i)
        if (!ttisnil(&a->array[i]) && !samevalue(L, &a->array[i], luaH_getnum(b, i + 1)))
            return false;
    for (int i = 0, size = sizenode(a); i < size; ++i)
    {
        LuaNode* n = gnode(a, i);
        if (ttisnil(gval(n)))
            continue;
        TValue key;
        getnodekey(L, &key, n);
        if (!samevalue(L, gval(n), luaH_get(b, &key)))
            return false;
    }
    return true;
}

int luaW_sametable(lua_State* L, LuaTable* a, LuaTable* b)
{
    return a == b || (luaW_arevalues(a, b) && sametable(L, a, b));
}

int luaW_rawsame(lua_State* L, const TValue* a, const TValue* b)
{
    if (ttype(a) != LUA_TTABLE || ttype(b) != LUA_TTABLE)
        return luaO_rawequalObj(a, b);
    LuaTable *one = hvalue(a), *other = hvalue(b);
    // points, hexes and dice are values from the start
    bool arevalues = one->metatable && one->metatable == other->metatable && (one->readonly & other->readonly & 1);
    return arevalues && one->sizearray == 0 ? sametable(L, one, other) : luaW_sametable(L, one, other);
}
