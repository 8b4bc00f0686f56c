-- CreateTable
CREATE TABLE "remembered_devices" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "session_hash" TEXT,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "remembered_devices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "remembered_devices_hash_key" ON "remembered_devices"("hash");

-- CreateIndex
CREATE INDEX "remembered_devices_user_id_idx" ON "remembered_devices"("user_id");

-- CreateIndex
CREATE INDEX "remembered_devices_expires_at_idx" ON "remembered_devices"("expires_at");

-- AddForeignKey
ALTER TABLE "remembered_devices" ADD CONSTRAINT "remembered_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
