-- CreateTable
CREATE TABLE "remembered_devices" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "session_hash" TEXT,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" DATETIME NOT NULL,
    "last_used_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    CONSTRAINT "remembered_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "remembered_devices_hash_key" ON "remembered_devices"("hash");

-- CreateIndex
CREATE INDEX "remembered_devices_user_id_idx" ON "remembered_devices"("user_id");

-- CreateIndex
CREATE INDEX "remembered_devices_expires_at_idx" ON "remembered_devices"("expires_at");
