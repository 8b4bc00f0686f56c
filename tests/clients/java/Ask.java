import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks with Java's own HTTP client as it comes: over plain http it wishes for HTTP/2 with each new connection. */
class Ask {
  public static void main(String[] arguments) throws Exception {
    String base = arguments[0];
    for (int index = 1; index < arguments.length; index += 1) {
      String path = arguments[index];
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path.replaceFirst("^POST ", "")));
      if (path.startsWith("POST ")) {
        request.header("Content-Type", "application/x-www-form-urlencoded");
        request.POST(HttpRequest.BodyPublishers.ofString("grant_type=refresh_token&refresh_token=none"));
      }
      // A new client each time: only the first request of a connection carries the wish.
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      System.out.println(response.statusCode());
    }
  }
}
