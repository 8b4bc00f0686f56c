-- CreateTable
CREATE TABLE "set_up_links" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "expires_at" DATETIME NOT NULL
);
