// houserule: what a call takes at most of what has a limit, so that an answer
// that is kept is given only where finding it anew would meet none.
//
// Calls within calls are not counted one by one: the end of their array is put
// some calls further on, and put further whenever it is met. What comes out is
// as much as was taken, or more.
#include "lua.h"

#include "lapi.h"
#include "lstate.h"
#include "lwork.h"

// A call has no more values of its own than this.
static const int kFrameSize = 256;

static uint32_t deepest(lua_State* L)
{
    uint32_t reached = uint32_t(L->end_ci - L->base_ci);
    return reached > L->global->frames ? reached : L->global->frames;
}

void luaW_mark(lua_State* L)
{
    CallInfo* last = L->base_ci + L->size_ci - 1;
    L->end_ci = last - L->ci > LUAW_FRAMES ? L->ci + LUAW_FRAMES : last;
}

void houserule_enter(lua_State* L, houserule_Room* outer)
{
    global_State* g = L->global;
    outer->frames = deepest(L);
    outer->ccalls = g->ccalls;
    outer->bytes = g->allocated;
    luaW_mark(L);
    g->frames = 0;
    g->ccalls = L->nCcalls;
}

void houserule_leave(lua_State* L, const houserule_Room* outer, houserule_Room* took)
{
    global_State* g = L->global;
    uint32_t frames = deepest(L), now = uint32_t(L->ci - L->base_ci);
    took->frames = frames > now ? frames - now : 0;
    took->ccalls = g->ccalls > L->nCcalls ? g->ccalls - L->nCcalls : 0;
    took->bytes = g->allocated - outer->bytes;
    g->frames = frames > outer->frames ? frames : outer->frames;
    if (g->ccalls < outer->ccalls)
        g->ccalls = outer->ccalls;
}

int houserule_spare(lua_State* L, const houserule_Room* took, size_t most)
{
    global_State* g = L->global;
    uint32_t frames = uint32_t(L->ci - L->base_ci) + took->frames;
    uint32_t ccalls = L->nCcalls + took->ccalls;
    uint64_t slots = uint64_t(took->frames) * kFrameSize;
    // The stack may be twice as large as what lies on it.
    uint64_t bytes = g->totalbytes + took->bytes + slots * 2 * sizeof(TValue);
    if (frames >= LUAI_MAXCALLS || ccalls >= LUAI_MAXCCALLS || bytes > most)
        return 0;
    if (uint64_t(L->top - L->stack) + slots > LUAI_MAXCSTACK)
        return 0;
    if (frames > g->frames)
        g->frames = frames;
    if (ccalls > g->ccalls)
        g->ccalls = ccalls;
    g->allocated += took->bytes;
    return 1;
}
