-- CreateTable
CREATE TABLE "client_logos" (
    "client_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "client_logos_pkey" PRIMARY KEY ("client_id")
);

-- AddForeignKey
ALTER TABLE "client_logos" ADD CONSTRAINT "client_logos_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
