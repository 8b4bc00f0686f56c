-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "public_jwk" TEXT NOT NULL,
    "sealed_private" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "logout_deliveries" (
    "session_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "logout_deliveries_pkey" PRIMARY KEY ("session_hash","client_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "signing_keys_alg_generation_key" ON "signing_keys"("alg", "generation");

-- CreateIndex
CREATE INDEX "logout_deliveries_next_at_idx" ON "logout_deliveries"("next_at");

-- CreateIndex
CREATE INDEX "token_families_session_hash_idx" ON "token_families"("session_hash");
