-- CreateTable
CREATE TABLE "user_pictures" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "user_pictures_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_pictures_hash_key" ON "user_pictures"("hash");

-- AddForeignKey
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
