-- CreateTable
CREATE TABLE "client_logos" (
    "client_id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BLOB NOT NULL,
    CONSTRAINT "client_logos_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
