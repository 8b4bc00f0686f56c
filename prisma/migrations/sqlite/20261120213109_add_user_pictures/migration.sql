-- CreateTable
CREATE TABLE "user_pictures" (
    "user_id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BLOB NOT NULL,
    CONSTRAINT "user_pictures_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "user_pictures_hash_key" ON "user_pictures"("hash");
