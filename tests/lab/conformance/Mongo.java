import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

/**
 * An in-memory replacement for MongoDB, for the suite: java -cp 'mongo-java-server and its
 * dependencies' Mongo.java PORT
 */
class Mongo extends MemoryBackend {
  public static void main(String[] arguments) throws InterruptedException {
    new MongoServer(new Mongo()).bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Thread.currentThread().join();
  }

  /** The suite asks for this when it starts, and the library does not answer it. */
  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    if (!command.equalsIgnoreCase("getParameter")) return super.handleCommand(channel, database, command, query);
    return new Document("featureCompatibilityVersion", new Document("version", "6.0")).append("ok", 1.0);
  }
}
