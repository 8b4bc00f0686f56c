import { golang } from './go.ts';
import { laravel } from './laravel.ts';
import { nextjs } from './nextjs.ts';
import { express, openidClient } from './node.ts';
import { phpApp } from './php.ts';
import { djangoAllauth, djangoMozilla, fastapi, flask } from './python.ts';
import { quarkus } from './quarkus.ts';
import { rails } from './rails.ts';
import { springBoot } from './spring-boot.ts';
import type { Stack } from './stack.ts';
import { sveltekit } from './sveltekit.ts';
import { wordpress } from './wordpress.ts';

const inBrowser = 'it runs in the browser: tests/clients/recipe-spa.spec.ts';

/** How the tests run the recipe of each stack, by its id; those that they cannot run say why. */
export const stacks: Readonly<Record<string, Stack | string>> = {
  'openid-client': openidClient,
  express,
  flask,
  fastapi,
  laravel,
  sveltekit,
  go: golang,
  php: phpApp,
  nextjs,
  'django-mozilla': djangoMozilla,
  'django-allauth': djangoAllauth,
  rails,
  'spring-boot': springBoot,
  quarkus,
  vue: inBrowser,
  angular: inBrowser,
  dotnet: 'no SDK of .NET can be had from the registries that the tests use',
  wordpress,
};
