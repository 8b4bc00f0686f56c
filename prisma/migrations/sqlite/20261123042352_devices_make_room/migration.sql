-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_device_authorizations" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "user_code" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "resources" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "user_id" TEXT,
    "interval" INTEGER NOT NULL,
    "asked_at" DATETIME,
    "address" TEXT,
    "network" TEXT NOT NULL DEFAULT '',
    "seen_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    CONSTRAINT "device_authorizations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "device_authorizations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_device_authorizations" ("address", "asked_at", "client_id", "created_at", "expires_at", "hash", "id", "interval", "resources", "scope", "state", "user_code", "user_id") SELECT "address", "asked_at", "client_id", "created_at", "expires_at", "hash", "id", "interval", "resources", "scope", "state", "user_code", "user_id" FROM "device_authorizations";
DROP TABLE "device_authorizations";
ALTER TABLE "new_device_authorizations" RENAME TO "device_authorizations";
CREATE UNIQUE INDEX "device_authorizations_hash_key" ON "device_authorizations"("hash");
CREATE UNIQUE INDEX "device_authorizations_user_code_key" ON "device_authorizations"("user_code");
CREATE INDEX "device_authorizations_client_id_state_network_expires_at_idx" ON "device_authorizations"("client_id", "state", "network", "expires_at");
CREATE INDEX "device_authorizations_state_expires_at_network_idx" ON "device_authorizations"("state", "expires_at", "network");
CREATE INDEX "device_authorizations_user_id_idx" ON "device_authorizations"("user_id");
CREATE INDEX "device_authorizations_expires_at_idx" ON "device_authorizations"("expires_at");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
