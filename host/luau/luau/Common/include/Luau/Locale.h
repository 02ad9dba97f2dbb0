// houserule: numbers and letters as every process has them, whatever locale the
// program has set that scripts run in.
#pragma once

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <string>

namespace Luau
{

// The number at the start of a text, written with a point.
inline double numberOf(const char* text, char** end)
{
    const char* point = localeconv()->decimal_point;
    if (strcmp(point, ".") == 0)
        return strtod(text, end);
    std::string local(text, strcspn(text, point));
    size_t at = local.find('.'), more = strlen(point) - 1;
    if (at != std::string::npos)
        local.replace(at, 1, point);
    char* found;
    double number = strtod(local.c_str(), &found);
    size_t length = size_t(found - local.c_str());
    *end = const_cast<char*>(text) + (at != std::string::npos && length > at ? length - more : length);
    return number;
}

// A number that was just written, with a point.
inline void writePoint(char* text)
{
    const char* point = localeconv()->decimal_point;
    char* at = strcmp(point, ".") == 0 ? nullptr : strstr(text, point);
    if (!at)
        return;
    *at = '.';
    memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
}

inline bool isUpper(int c) { return c >= 'A' && c <= 'Z'; }
inline bool isLower(int c) { return c >= 'a' && c <= 'z'; }
inline bool isAlpha(int c) { return isUpper(c) || isLower(c); }
inline bool isDigit(int c) { return c >= '0' && c <= '9'; }
inline bool isAlnum(int c) { return isAlpha(c) || isDigit(c); }
inline bool isHex(int c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool isControl(int c) { return (c >= 0 && c < ' ') || c == 127; }
inline bool isGraph(int c) { return c > ' ' && c < 127; }
inline bool isPunct(int c) { return isGraph(c) && !isAlnum(c); }
inline int toLower(int c) { return isUpper(c) ? c - 'A' + 'a' : c; }
inline int toUpper(int c) { return isLower(c) ? c - 'a' + 'A' : c; }

} // namespace Luau
