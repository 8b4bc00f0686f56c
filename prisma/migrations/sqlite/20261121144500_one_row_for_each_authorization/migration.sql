-- What was issued until now ends: its tokens are digests, which no MAC can be made of. That a request has had its
-- code stays known, as long as the request may be answered.
INSERT INTO "spent_values" ("hash", "expires_at")
SELECT 'flow:' || "flow_id", "created_at" + 3600000 FROM "authorization_codes"
WHERE "created_at" > (unixepoch() - 3600) * 1000 ON CONFLICT DO NOTHING;

-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "access_tokens";
PRAGMA foreign_keys=on;

-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "authorization_codes";
PRAGMA foreign_keys=on;

-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "refresh_tokens";
PRAGMA foreign_keys=on;

-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "token_families";
PRAGMA foreign_keys=on;

-- CreateTable
CREATE TABLE "authorizations" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "session_hash" TEXT,
    "scope" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "state_hash" TEXT,
    "code_challenge" TEXT,
    "nonce" TEXT,
    "claims" TEXT,
    "auth_time" DATETIME NOT NULL,
    "amr" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "client_epoch" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "redeemed_at" DATETIME,
    "revoked_at" DATETIME,
    "rotation" INTEGER NOT NULL DEFAULT 0,
    "rotated_at" DATETIME,
    "rotated_scope" TEXT,
    "idle_until" DATETIME,
    "ends_at" DATETIME,
    "keep_until" DATETIME NOT NULL,
    CONSTRAINT "authorizations_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "token_keys" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sealed" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "retired_at" DATETIME
);

-- CreateIndex
CREATE INDEX "authorizations_grant_id_idx" ON "authorizations"("grant_id");

-- CreateIndex
CREATE INDEX "authorizations_keep_until_idx" ON "authorizations"("keep_until");
