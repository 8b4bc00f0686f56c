-- CreateTable
CREATE TABLE "api_keys" (
    "hash" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "rights" TEXT NOT NULL,
    "maker_id" TEXT,
    "networks" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "kept_answers" (
    "hash" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_answers_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_id_key" ON "api_keys"("id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_name_key_key" ON "api_keys"("name_key");

-- CreateIndex
CREATE INDEX "api_keys_maker_id_idx" ON "api_keys"("maker_id");

-- CreateIndex
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys"("expires_at");

-- CreateIndex
CREATE INDEX "kept_answers_caller_idx" ON "kept_answers"("caller");

-- CreateIndex
CREATE INDEX "kept_answers_expires_at_idx" ON "kept_answers"("expires_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
