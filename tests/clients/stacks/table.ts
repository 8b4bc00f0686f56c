import { golang } from './go.ts';
import { nextjs } from './nextjs.ts';
import { express, openidClient } from './node.ts';
import { phpApp } from './php.ts';
import { djangoAllauth, djangoMozilla, flask } from './python.ts';
import { quarkus } from './quarkus.ts';
import { rails } from './rails.ts';
import { springBoot } from './spring-boot.ts';
import type { Stack } from './stack.ts';
import { wordpress } from './wordpress.ts';

/** How the tests run the recipe of each stack, by its id; those that they cannot run say why. */
export const stacks: Readonly<Record<string, Stack | string>> = {
  'openid-client': openidClient,
  express,
  flask,
  go: golang,
  php: phpApp,
  nextjs,
  'django-mozilla': djangoMozilla,
  'django-allauth': djangoAllauth,
  rails,
  'spring-boot': springBoot,
  quarkus,
  wordpress,
};
