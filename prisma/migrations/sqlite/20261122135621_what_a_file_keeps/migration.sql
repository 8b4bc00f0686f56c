-- CreateTable
CREATE TABLE "file_owned" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,

    PRIMARY KEY ("kind", "key")
);
