-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL PRIMARY KEY,
    "alg" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "public_jwk" TEXT NOT NULL,
    "sealed_private" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "retired_at" DATETIME
);

-- CreateTable
CREATE TABLE "logout_deliveries" (
    "session_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_at" DATETIME NOT NULL,

    PRIMARY KEY ("session_hash", "client_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "signing_keys_alg_generation_key" ON "signing_keys"("alg", "generation");

-- CreateIndex
CREATE INDEX "logout_deliveries_next_at_idx" ON "logout_deliveries"("next_at");

-- CreateIndex
CREATE INDEX "token_families_session_hash_idx" ON "token_families"("session_hash");
