// A player over plain HTTP: it sits down by the link that `houserule serve`
// prints, listens to what happens, and decides by dice.
//
//	go run docs/examples/over_http/player.go http://127.0.0.1:4717/#5d0c… [SEED]
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type object map[string]any

// What is read of the messages; they hold more.
type (
	failure struct {
		Code    int
		Message string
	}

	change struct {
		Last   int
		Events []struct{ Text []string }
		Ask    *prompt
	}

	prompt struct {
		Ask      int
		Prompt   string
		Phase    string
		Question struct {
			ID    string
			Text  string
			Asked []struct {
				Side   string
				Domain domain
			}
		}
		Result any
	}

	legal struct {
		Actions []struct {
			ID    string
			Actor any
		}
		PassRefused *string `json:"pass_refused"`
		Decline     bool
	}

	param struct {
		Name   string
		Domain domain
	}

	domain struct {
		Domain     string
		Choices    []struct{ Value any }
		Candidates []json.RawMessage
		Regions    []region
		Min, Max   int
	}

	region struct {
		Disc      *struct{ Centre [2]int64 }
		Rectangle struct{ Min [2]int64 }
	}
)

func (failed *failure) Error() string { return failed.Message }

const (
	notAllowed = -32000
	stale      = -32002
)

// A player in a seat.
type player struct {
	base, token, side string
	dice              *rand.Rand
	// What was done in this phase: nobody does the same twice.
	phase string
	done  map[string]bool
	shown int
}

func main() {
	log.SetFlags(0)
	result, err := play(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("The game is over:", result)
}

func play(args []string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("expected the link of a seat, as `houserule serve` prints it")
	}
	base, token, isLink := strings.Cut(args[0], "/#")
	if !isLink {
		return "", errors.New("expected the link of a seat, with a # in it")
	}
	seed := int64(1)
	if len(args) > 1 {
		seed, _ = strconv.ParseInt(args[1], 10, 64)
	}
	me := player{base: base, token: token, dice: rand.New(rand.NewSource(seed)), done: map[string]bool{}}
	var welcome struct{ Viewer string }
	if err := me.call("hello", object{}, &welcome); err != nil {
		return "", err
	}
	me.side = welcome.Viewer
	return me.follow()
}

// Sends a request until there is a reply: who says too much is told to wait.
func (me *player) send(request func() (*http.Request, error)) (*http.Response, error) {
	for {
		made, err := request()
		if err != nil {
			return nil, err
		}
		made.Header.Set("Authorization", "Bearer "+me.token)
		response, err := http.DefaultClient.Do(made)
		if err != nil || response.StatusCode == http.StatusOK {
			return response, err
		}
		why, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusTooManyRequests {
			return nil, fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(why))
		}
		time.Sleep(time.Second)
	}
}

func (me *player) call(method string, params object, result any) error {
	message, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	response, err := me.send(func() (*http.Request, error) {
		return http.NewRequest("POST", me.base+"/rpc", bytes.NewReader(message))
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	reply := struct {
		Result any
		Error  *failure
	}{Result: result}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return err
	}
	if reply.Error != nil {
		return reply.Error
	}
	return nil
}

// Listens until the game is over; a line that breaks is taken up where it broke.
func (me *player) follow() (string, error) {
	last := ""
	var asked prompt
	for {
		response, err := me.send(func() (*http.Request, error) {
			request, err := http.NewRequest("GET", me.base+"/events?events=lines", nil)
			if err == nil && last != "" {
				request.Header.Set("Last-Event-ID", last)
			}
			return request, err
		})
		if err != nil {
			return "", err
		}
		events := bufio.NewReader(response.Body)
		for {
			event, err := next(events)
			if err != nil {
				break
			}
			if event["event"] == "revoked" {
				return "", errors.New("the seat was taken away")
			}
			if event["event"] != "change" {
				continue
			}
			last = event["id"]
			var notice change
			if err := json.Unmarshal([]byte(event["data"]), &notice); err != nil {
				return "", err
			}
			me.show(notice)
			if notice.Ask == nil {
				continue
			}
			if notice.Ask.Prompt == "" {
				asked.Ask = notice.Ask.Ask
			} else {
				asked = *notice.Ask
			}
			if asked.Prompt == "over" {
				result, err := json.Marshal(asked.Result)
				return string(result), err
			}
			if err := me.decide(&asked); err != nil {
				return "", err
			}
		}
		response.Body.Close()
		time.Sleep(time.Second)
	}
}

// The next of the server's events: its fields by name.
func next(lines *bufio.Reader) (map[string]string, error) {
	event := map[string]string{}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && len(event) > 0 {
			return event, nil
		}
		name, value, _ := strings.Cut(line, ":")
		if name != "" {
			event[name] += strings.TrimPrefix(value, " ")
		}
	}
}

func (me *player) show(notice change) {
	for at, event := range notice.Events {
		number := notice.Last - len(notice.Events) + 1 + at
		if number <= me.shown {
			continue
		}
		me.shown = number
		for _, line := range event.Text {
			fmt.Println(line)
		}
	}
}

func (me *player) decide(ask *prompt) error {
	switch ask.Prompt {
	case "answer":
		return me.answer(ask)
	case "act":
		if ask.Phase != me.phase {
			me.phase, me.done = ask.Phase, map[string]bool{}
		}
		return me.action(ask, "act", "action")
	case "react":
		return me.action(ask, "react", "reaction")
	}
	return nil
}

func (me *player) answer(ask *prompt) error {
	for _, part := range ask.Question.Asked {
		if part.Side != me.side {
			continue
		}
		for tries := 0; tries < 50; tries++ {
			value, _ := me.value(part.Domain)
			input := object{"input": "answer", "question": ask.Question.ID, "value": value}
			if taken, err := me.submit(ask, input); taken || err != nil {
				return err
			}
		}
	}
	return errors.New("no answer was taken: " + ask.Question.Text)
}

// Does the first thing that the rules take; if there is none, lets it be.
func (me *player) action(ask *prompt, input, name string) error {
	var can legal
	if err := me.call("legal", object{"allowed": true}, &can); err != nil {
		return err
	}
	for _, at := range me.dice.Perm(len(can.Actions)) {
		action := can.Actions[at]
		mark := fmt.Sprint(action.ID, action.Actor)
		params, isWhole := me.params(action.ID, action.Actor)
		if me.done[mark] || !isWhole {
			continue
		}
		me.done[mark] = true
		decision := object{"input": input, name: action.ID, "actor": action.Actor, "params": params}
		if taken, err := me.submit(ask, decision); taken || err != nil {
			return err
		}
	}
	stop := "done"
	if can.Decline {
		stop = "decline"
	} else if can.PassRefused == nil {
		stop = "pass"
	}
	taken, err := me.submit(ask, object{"input": stop})
	if err == nil && !taken {
		err = errors.New("there is nothing that the rules take")
	}
	return err
}

// What an action asks for, one thing after another; false if something cannot be given.
func (me *player) params(action string, actor any) (object, bool) {
	params := object{}
	for {
		var asked *param
		if me.call("next_param", object{"action": action, "actor": actor, "params": params}, &asked) != nil {
			return nil, false
		}
		if asked == nil {
			return params, true
		}
		value, isThere := me.value(asked.Domain)
		if !isThere {
			return nil, false
		}
		params[asked.Name] = value
	}
}

// Any value of a domain; false if there is none.
func (me *player) value(of domain) (any, bool) {
	switch of.Domain {
	case "choices":
		if len(of.Choices) > 0 {
			return of.Choices[me.dice.Intn(len(of.Choices))].Value, true
		}
	case "several":
		values := []any{}
		for _, at := range me.dice.Perm(len(of.Choices))[:of.Min] {
			values = append(values, of.Choices[at].Value)
		}
		return values, true
	case "integer":
		return of.Min + me.dice.Intn(of.Max-of.Min+1), true
	case "place":
		return me.place(of)
	case "route":
		return me.route(of)
	}
	return nil, false
}

func (me *player) place(of domain) (any, bool) {
	if len(of.Candidates) > 0 {
		return object{"point": of.Candidates[me.dice.Intn(len(of.Candidates))]}, true
	}
	if len(of.Regions) == 0 {
		return nil, false
	}
	at := of.Regions[me.dice.Intn(len(of.Regions))]
	if at.Disc != nil {
		return object{"point": at.Disc.Centre}, true
	}
	return object{"point": at.Rectangle.Min}, true
}

func (me *player) route(of domain) (any, bool) {
	if len(of.Candidates) == 0 {
		return nil, false
	}
	var points [][2]int64
	if json.Unmarshal(of.Candidates[me.dice.Intn(len(of.Candidates))], &points) != nil {
		return nil, false
	}
	route := []object{}
	for _, point := range points {
		route = append(route, object{"point": point})
	}
	return route, true
}

// Submits a decision: whether it was taken. A refusal of the rules is no error,
// and neither is a prompt that is no more: the next one comes by itself.
func (me *player) submit(ask *prompt, input object) (bool, error) {
	input["by"] = me.side
	key := strconv.FormatInt(me.dice.Int63(), 36)
	var taken any
	err := me.call("submit", object{"ask": ask.Ask, "key": key, "input": input}, &taken)
	var failed *failure
	if !errors.As(err, &failed) {
		return err == nil, err
	}
	switch failed.Code {
	case notAllowed:
		return false, nil
	case stale:
		return true, nil
	}
	return false, err
}
