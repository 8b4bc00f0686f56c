import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * Sends requests with Java's own HTTP client and its default settings: over plain http it asks for
 * an upgrade to HTTP/2 on each new connection.
 */
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
      // A new client each time, because only the first request of a connection asks for the
      // upgrade.
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      System.out.println(response.statusCode());
    }
  }
}
