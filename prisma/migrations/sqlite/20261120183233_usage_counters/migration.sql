-- CreateTable
CREATE TABLE "usage_counters" (
    "hour" DATETIME NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    PRIMARY KEY ("hour", "name", "client_id")
);
