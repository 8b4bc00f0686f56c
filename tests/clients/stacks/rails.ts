import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { forChange } from '../../lanes.ts';
import { haveDebianPackages } from '../../support/debian-packages.ts';
import { freePort } from '../../support/free-port.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

// The recipe's files in a new Rails app, with the gems that Debian packages. Debian's OpenID
// Connect strategy is GitLab’s fork, which has another name.
const hasRails =
  !forChange &&
  (await haveDebianPackages(
    'ruby-rails',
    'ruby-bundler',
    'ruby-listen',
    'puma',
    'ruby-omniauth-openid-connect',
    'ruby-omniauth-rails-csrf-protection',
  ));

const gems = `source 'https://rubygems.org'
gem 'rails'
gem 'puma'
gem 'listen'
`;
const fork = "'gitlab-omniauth-openid-connect', require: 'omniauth_openid_connect'";

const home = `class HomeController < ApplicationController
  def show; end
end
`;

async function startRails(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'rails', { address });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: 'pipe' });
  const without = ['active-record', 'javascript', 'test', 'git', 'sprockets', 'bundle', 'spring'];
  run('rails', 'new', '.', '--skip', '--minimal', ...without.map((each) => `--skip-${each}`));
  const ofRecipe = text('Gemfile, at the end');
  expect(ofRecipe).toContain("gem 'omniauth_openid_connect'");
  write(folder, 'Gemfile', gems + ofRecipe.replace("'omniauth_openid_connect'", fork));
  const routes = text('config/routes.rb, inside the block');
  const draw = (inside: string) => `Rails.application.routes.draw do\n${inside}end\n`;
  write(folder, 'config/routes.rb', draw(`${routes}root to: 'home#show'\n`));
  write(folder, 'app/controllers/home_controller.rb', home);
  const inside = text('app/controllers/application_controller.rb, inside the class');
  const controller = `class ApplicationController < ActionController::Base\n${inside}end\n`;
  write(folder, 'app/controllers/application_controller.rb', controller);
  write(folder, 'app/views/home/show.html.erb', text('In a view'));
  run('bundle', 'lock', '--local');
  await listening(port, start(folder, 'bundle', ['exec', 'rails', 'server', '-p', String(port)]));
  return { address, clientId };
}

export const rails: Stack = {
  start: hasRails ? startRails : null,
  withoutPkce: 'GitLab’s fork of the gem, which Debian has, does not know the option.',
};
