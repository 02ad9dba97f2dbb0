// Plays a game from C: red by a bot, blue by a player who lets everything go by.
//
//     cc host/c/examples/play.c -I host/c -L target/release -Wl,-rpath,target/release -lhouserule_c -o play
//     ./play mods docs/examples
//
// A real program reads the messages with a JSON library; this one looks for words.
#include <stdio.h>
#include <string.h>

#include "houserule.h"

static HouseruleServer *server;
static uint64_t host;

/// Says a message and gives its reply; what is told before it is printed.
static char *ask(const char *message) {
    if (!houserule_say(server, host, message, strlen(message))) return NULL;
    for (;;) {
        char *line = houserule_next(server, host);
        if (line == NULL || strstr(line, "\"id\":1") != NULL) return line;
        puts(line);
        houserule_free(line);
    }
}

/// Whether the reply to a message has these words in it.
static int has(const char *message, const char *words) {
    char *reply = ask(message);
    int found = reply != NULL && strstr(reply, words) != NULL;
    if (reply == NULL || strstr(reply, "\"error\":") != NULL) printf("%s\n", reply ? reply : "no reply");
    houserule_free(reply);
    return found;
}

#define CALL(method, params) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":" params "}"

static int decide(void) {
    if (has(CALL("prompt", "{\"viewer\":\"blue\"}"), "\"prompt\":\"react\""))
        return has(CALL("submit", "{\"input\":{\"input\":\"decline\",\"by\":\"blue\"}}"), "\"result\":");
    if (has(CALL("legal", "{\"side\":\"blue\",\"allowed\":true}"), "\"pass_refused\":null"))
        return has(CALL("submit", "{\"input\":{\"input\":\"pass\",\"by\":\"blue\"}}"), "\"result\":");
    return has(CALL("submit", "{\"input\":{\"input\":\"done\",\"by\":\"blue\"}}"), "\"result\":");
}

int main(int count, const char *const *words) {
    server = houserule_open(words + 1, (size_t)(count - 1));
    host = houserule_connect(server, true);
    if (!has(CALL("start", "{\"scenario\":\"drill/range\",\"bots\":{\"red\":\"greedy\"}}"), "\"result\":")) return 1;
    int decisions = 0;
    while (!has(CALL("bots", "{}"), "\"over\":true")) {
        if (!decide()) return 1;
        decisions++;
    }
    printf("over after %d decisions of blue\n", decisions);
    return houserule_close(server) ? 0 : 1;
}
