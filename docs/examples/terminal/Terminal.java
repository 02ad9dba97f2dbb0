import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Plays one seat of a game in a terminal, from the link that `houserule serve` prints.
 *
 *     javac *.java
 *     java Terminal http://127.0.0.1:4717/#TOKEN              by hand
 *     java Terminal http://127.0.0.1:4717/#TOKEN --chance 7   by dice of seed 7
 */
final class Terminal {
    /** Something to choose, by what the player reads. */
    record Option(String label, Object value) {}

    /** Who chooses: a place in the list, or a text of the player's own. */
    interface Player {
        Object choose(String question, List<Option> options, boolean isFree);
    }

    /** The player went back, or there was nothing to choose. */
    static final class Nothing extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Line line;
    private final Player player;
    private Map<String, Object> prompt;
    private final String me;
    /** The number of the last event that was printed. */
    private long last = 0;
    /** Actions that came to nothing since the prompt was another. */
    private final Set<Object> vain = new HashSet<>();

    Terminal(URI link, Player player) throws InterruptedException {
        this.player = player;
        URI server = URI.create("ws://" + link.getAuthority() + "/ws");
        line = new Line(server, this::notified);
        Map<String, Object> welcome = Json.map(line.call("hello", "token", link.getFragment()));
        me = (String) welcome.get("viewer");
        System.out.println("You play " + me + ".");
        line.call("subscribe");
    }

    /** Plays until the game is over. */
    void play() throws InterruptedException {
        while (true) {
            switch ((String) prompt.get("prompt")) {
                case "over" -> {
                    System.out.println("The game is over: " + words(prompt.get("result")));
                    line.hangUp();
                    return;
                }
                case "wait" -> line.listen();
                default -> decide();
            }
        }
    }

    /** What the server says unasked: what happened, and what is to be decided. */
    private void notified(Map<String, Object> message) {
        Map<String, Object> params = Json.map(message.get("params"));
        if (message.get("method").equals("news")) {
            news(Json.map(params.get("news")));
        } else if (message.get("method").equals("prompt")) {
            prompt = Json.map(params.get("prompt"));
            vain.clear();
        }
    }

    private void news(Map<String, Object> news) {
        if ((Long) news.get("from") <= last) System.out.println("(Taken back; what follows stands in its place.)");
        for (Object event : Json.list(news.get("events"))) {
            for (Object text : Json.list(Json.map(event).get("text"))) System.out.println(text);
        }
        last = (Long) news.get("last");
    }

    private void decide() throws InterruptedException {
        Option chosen = null;
        try {
            boolean isQuestion = prompt.get("prompt").equals("answer");
            chosen = isQuestion ? new Option("", Json.map(prompt.get("question"))) : choose();
            Map<String, Object> input = isQuestion ? answer() : whole(Json.map(chosen.value()));
            String key = UUID.randomUUID().toString();
            line.call("submit", "ask", prompt.get("ask"), "key", key, "input", input);
        } catch (Line.Refused refused) {
            System.out.println("No: " + refused.getMessage());
            if (chosen != null) vain.add(chosen.label());
        } catch (Nothing nothing) {
            if (chosen != null) vain.add(chosen.label());
        }
    }

    private Map<String, Object> answer() {
        Map<String, Object> question = Json.map(prompt.get("question"));
        for (Object asked : Json.list(question.get("asked"))) {
            if (!me.equals(Json.map(asked).get("side"))) continue;
            Object value = value((String) question.get("text"), Json.map(Json.map(asked).get("domain")));
            return Json.of("input", "answer", "by", me, "question", question.get("id"), "value", value);
        }
        throw new Nothing();
    }

    /** One of all that is legal, as the beginning of an input. */
    private Option choose() throws InterruptedException {
        boolean isReaction = prompt.get("prompt").equals("react");
        Map<String, Object> legal = Json.map(line.call("legal", "allowed", true));
        List<Option> options = new ArrayList<>();
        for (Object one : Json.list(legal.get("actions"))) {
            Map<String, Object> action = Json.map(one);
            String actor = action.get("actor") == null ? "" : ": " + words(action.get("actor"));
            Map<String, Object> input = Json.of("input", isReaction ? "react" : "act", "by", me);
            input.put(isReaction ? "reaction" : "action", action.get("id"));
            input.put("actor", action.get("actor"));
            options.add(new Option(action.get("title") + actor, input));
        }
        if (isReaction) {
            options.add(new Option("let it go by", Json.of("input", "decline", "by", me)));
        } else {
            for (String stop : List.of("pass", "done")) {
                boolean may = legal.get(stop + "_refused") == null;
                if (may) options.add(new Option(stop, Json.of("input", stop, "by", me)));
            }
        }
        options.removeIf(option -> vain.contains(option.label()));
        String question = Objects.toString(prompt.get("title"), "React?");
        List<Option> whole = options.stream().map(option -> new Option(option.label(), option)).toList();
        return (Option) player.choose(question, whole, false);
    }

    /** An input with its parameters, for which the rules ask one after another. */
    private Map<String, Object> whole(Map<String, Object> input) throws InterruptedException {
        Object action = input.getOrDefault("action", input.get("reaction"));
        if (action == null) return input;
        Map<String, Object> params = Json.of();
        while (true) {
            Object actor = input.get("actor");
            Object asked = line.call("next_param", "side", me, "action", action, "actor", actor, "params", params);
            if (asked == null) break;
            Map<String, Object> param = Json.map(asked);
            Object value = value((String) param.get("title"), Json.map(param.get("domain")));
            params.put((String) param.get("name"), value);
        }
        input.put("params", params);
        return input;
    }

    private Object value(String question, Map<String, Object> domain) {
        List<Option> options = new ArrayList<>();
        switch ((String) domain.get("domain")) {
            case "choices" -> options.addAll(choices(domain));
            case "several" -> {
                return several(question, domain);
            }
            case "integer" -> {
                long least = (Long) domain.get("min"), most = Math.min((Long) domain.get("max"), least + 20);
                for (long n = least; n <= most; n++) options.add(new Option("" + n, n));
            }
            case "place" -> {
                for (Object point : Json.list(domain.get("candidates"))) options.add(place(point));
                for (Object region : Json.list(domain.get("regions"))) options.add(place(middle(Json.map(region))));
            }
            case "route" -> {
                for (Object way : Json.list(domain.get("candidates"))) {
                    List<Option> points = Json.list(way).stream().map(Terminal::place).toList();
                    String label = points.stream().map(Option::label).collect(Collectors.joining(", "));
                    options.add(new Option(label, points.stream().map(Option::value).toList()));
                }
            }
            default -> throw new Nothing();
        }
        return player.choose(question, options, true);
    }

    /** Some of the choices: one more at a time, until there are enough. */
    private Object several(String question, Map<String, Object> domain) {
        List<Option> left = new ArrayList<>(choices(domain));
        List<Object> taken = new ArrayList<>();
        while (taken.size() < (Long) domain.get("max") && !left.isEmpty()) {
            List<Option> options = new ArrayList<>(left);
            if (taken.size() >= (Long) domain.get("min")) options.add(new Option("no more", Terminal.class));
            Object one = player.choose(question, options, false);
            if (one == Terminal.class) break;
            taken.add(one);
            left.removeIf(option -> option.value() == one);
        }
        return taken;
    }

    private static List<Option> choices(Map<String, Object> domain) {
        return Json.list(domain.get("choices")).stream().map(Json::map)
            .map(choice -> new Option((String) choice.get("label"), choice.get("value"))).toList();
    }

    private static Option place(Object point) {
        double[] inches = Json.list(point).stream().mapToDouble(length -> (Long) length / 25_400.0).toArray();
        return new Option(String.format("(%.1fin, %.1fin)", inches[0], inches[1]), Json.of("point", point));
    }

    private static Object middle(Map<String, Object> region) {
        if (region.get("disc") != null) return Json.map(region.get("disc")).get("centre");
        Map<String, Object> corners = Json.map(region.get("rectangle"));
        List<Object> low = Json.list(corners.get("min")), high = Json.list(corners.get("max"));
        return List.of(((Long) low.get(0) + (Long) high.get(0)) / 2, ((Long) low.get(1) + (Long) high.get(1)) / 2);
    }

    /** A value for reading: an entity by its label, a record by its fields. */
    private static String words(Object value) {
        if (!(value instanceof Map)) return Objects.toString(value, "nothing");
        Map<String, Object> map = Json.map(value);
        if (map.containsKey("label")) return (String) map.get("label");
        Map<String, Object> fields = map.get("record") != null ? Json.map(map.get("record")) : map;
        return fields.entrySet().stream()
            .map(field -> field.getKey() + " " + words(field.getValue()))
            .collect(Collectors.joining(", "));
    }

    /** Somebody at the keyboard, who types a number, or a value as players write it. */
    private static Player byHand() {
        Scanner keys = new Scanner(System.in);
        return (question, options, isFree) -> {
            System.out.println("\n" + question);
            for (int i = 0; i < options.size(); i++) System.out.println("  " + (i + 1) + "  " + options.get(i).label());
            System.out.print(isFree ? "a number, a value such as (10in, 4in), or nothing to go back: " : "a number: ");
            if (!keys.hasNextLine()) throw new Line.Gone("left; the game waits, and the link brings you back");
            String typed = keys.nextLine().strip();
            int number = typed.matches("\\d{1,4}") ? Integer.parseInt(typed) : 0;
            if (number >= 1 && number <= options.size()) return options.get(number - 1).value();
            if (typed.isEmpty() || !isFree) throw new Nothing();
            return typed;
        };
    }

    /** Dice, for who only wants to see a game go by. */
    private static Player byChance(long seed) {
        Random dice = new Random(seed);
        return (question, options, isFree) -> {
            if (options.isEmpty()) throw new Nothing();
            return options.get(dice.nextInt(options.size())).value();
        };
    }

    public static void main(String[] words) throws InterruptedException {
        boolean isByChance = words.length == 3 && words[1].equals("--chance");
        if (words.length != 1 && !isByChance) {
            System.err.println("usage: java Terminal LINK [--chance SEED]");
            System.exit(2);
        }
        try {
            new Terminal(URI.create(words[0]), isByChance ? byChance(Long.parseLong(words[2])) : byHand()).play();
        } catch (Line.Refused | Line.Gone wrong) {
            System.err.println(wrong.getMessage());
            System.exit(1);
        }
    }
}
