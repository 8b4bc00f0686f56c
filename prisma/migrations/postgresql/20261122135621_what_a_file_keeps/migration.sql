-- CreateTable
CREATE TABLE "file_owned" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "file_owned_pkey" PRIMARY KEY ("kind","key")
);
