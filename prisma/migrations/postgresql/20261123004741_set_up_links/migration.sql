-- CreateTable
CREATE TABLE "set_up_links" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "set_up_links_pkey" PRIMARY KEY ("hash")
);
