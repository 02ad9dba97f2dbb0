import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A line to `houserule serve`: one message a frame, both ways. */
final class Line implements WebSocket.Listener {
    /** What the server said no to. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(Map<String, Object> error) {
            super((String) error.get("message"));
        }
    }

    /** Why a line is there no more, or never was. */
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;

        Gone(String why) {
            super(why);
        }
    }

    /** A connection may say 50 messages a second. */
    private static final long PAUSE = 20;

    /** Stands in the queue after the last message. */
    private static final String END = "";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();
    private final Consumer<Map<String, Object>> listener;
    private final WebSocket socket;
    private volatile String gone = "the server has closed the line";
    private long last = 0;

    /** Opens a line; `listener` gets what the server says unasked. */
    Line(URI server, Consumer<Map<String, Object>> listener) {
        this.listener = listener;
        try {
            socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(server, this).join();
        } catch (CompletionException nobody) {
            throw new Gone("nobody answers at " + server);
        }
    }

    /** Asks, and waits for the reply. */
    Object call(String method, Object... params) throws InterruptedException {
        last++;
        Map<String, Object> request = Json.of("jsonrpc", "2.0", "id", last, "method", method);
        request.put("params", Json.of(params));
        Thread.sleep(PAUSE);
        socket.sendText(Json.write(request), true).join();
        Map<String, Object> reply = null;
        while (reply == null) reply = next(last);
        if (reply.get("error") != null) throw new Refused(Json.map(reply.get("error")));
        return reply.get("result");
    }

    /** Waits until the server says something unasked. */
    void listen() throws InterruptedException {
        next(-1);
    }

    void hangUp() {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    /** Reads a message: the reply to this request, or nothing where it was another. */
    private Map<String, Object> next(long request) throws InterruptedException {
        String text = received.take();
        if (text.equals(END)) throw new Gone(gone);
        Map<String, Object> message = Json.map(Json.read(text));
        if (message.get("id") instanceof Long id && id == request) return message;
        if (message.get("method") != null) listener.accept(message);
        return null;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
        part.append(text);
        if (isLast) {
            received.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        gone = "the server has closed the line: " + code + " " + reason;
        received.add(END);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        gone = "the line broke: " + error.getMessage();
        received.add(END);
    }
}
