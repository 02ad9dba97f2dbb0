// Houserule for C: the messages of JSON-RPC, as text, in and out.
//
// This file is generated from host/c/src/lib.rs, whose tests hold it.
// A server belongs to the thread that opened it; others get NULL, 0 or false.
// Every text that is given out is freed with houserule_free.

#ifndef HOUSERULE_H
#define HOUSERULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A match, or none yet, and all who are connected to it.
typedef struct HouseruleServer HouseruleServer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a server for the mods in these folders, each of mods or itself one:
// `count` paths in UTF-8. NULL if a path is none. Close it with
// houserule_close.
//
// # Safety
// `folders` points to `count` texts that end with a zero.
struct HouseruleServer *houserule_open(const char *const *folders, size_t count);

// Somebody connects: as the host, who may do everything, or as nobody, who
// takes a seat by `hello` with a token. The number of the connection; 0 if
// there is no server.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed.
uint64_t houserule_connect(const struct HouseruleServer *server, bool as_host);

// Says a message on a connection: `length` bytes of JSON. It is done when this
// returns; what is told of it, to whomever, is there for houserule_next.
// False if there is no such connection.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed; `message`
// points to `length` bytes.
bool houserule_say(const struct HouseruleServer *server,
                   uint64_t connection,
                   const char *message,
                   size_t length);

// The next message for a connection, in order: what is told comes before the
// reply to what brought it about. NULL if there is none now. Free it with
// houserule_free.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed.
char *houserule_next(const struct HouseruleServer *server, uint64_t connection);

// Looks whether mods have changed in their folders, if the host has said
// `watch`: true if one is only half saved, so that it is worth to look again a
// moment later.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed.
bool houserule_look(const struct HouseruleServer *server);

// Somebody leaves. A seat that was held stays given.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed.
void houserule_disconnect(const struct HouseruleServer *server, uint64_t connection);

// Frees a message.
//
// # Safety
// `message` is null, or came from `houserule_next` and was not freed.
void houserule_free(char *message);

// Closes a server. A match with a journal is in it, to the last decision.
// False, and nothing is done, in another thread than the one that opened it.
//
// # Safety
// `server` is null, or came from `houserule_open` and was not closed; it is
// not used any more.
bool houserule_close(struct HouseruleServer *server);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HOUSERULE_H */
