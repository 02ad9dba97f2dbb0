// houserule: see lwork.h
#include "lwork.h"

#include "lapi.h"
#include "ldebug.h"
#include "ldo.h"
#include "lnumutils.h"
#include "lua.h"

double (*houserule_power)(double, double) = pow;

luaW_Budget luaW_none = {0, 0, 0};

void luaW_turn(lua_State* L)
{
    global_State* g = L->global;
    void (*interrupt)(lua_State*, int) = g->cb.interrupt;

    if (interrupt && !luaW_goon(g))
    {
        // this interrupt is not yieldable
        L->nCcalls++;
        interrupt(L, -1);
        L->nCcalls--;
    }
}

void luaW_pay(lua_State* L)
{
    global_State* g = L->global;

    while (g->work >= LUAW_UNIT)
    {
        g->work -= LUAW_UNIT;
        luaW_turn(L);
    }
}

l_noret luaW_over(lua_State* L)
{
    // making the message is work too
    L->global->work = 0;
    L->global->limit = LUAW_LONG;
    luaG_runerror(L, "too much work at once");
}

l_noret luaW_unordered(lua_State* L)
{
    if (lua_checkstack(L, 2))
    {
        // the host's own function raises its own error
        lua_getfield(L, LUA_REGISTRYINDEX, "houserule.unordered");
        if (lua_isfunction(L, -1))
            lua_call(L, 0, 0);
    }
    luaG_runerror(L, "keys that are tables or functions have no order");
}

void houserule_setpower(double (*power)(double, double))
{
    houserule_power = power;
}
