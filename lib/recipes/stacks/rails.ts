import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { ruby } from '../text.ts';

export const rails = recipe({
  id: 'rails',
  name: 'Rails with OmniAuth',
  kind: 'stack',
  summary: 'Ruby; omniauth_openid_connect',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/auth/gatehouse/callback`],
  steps: ['Add the gems and write the files.', 'Start the app and press the button.'],
  blocks: (_, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'Gemfile',
      ...ruby`
        gem 'omniauth_openid_connect'
        gem 'omniauth-rails_csrf_protection'
      `,
    },
    {
      title: 'config/initializers/omniauth.rb',
      ...ruby`
        Rails.application.config.middleware.use OmniAuth::Builder do
          provider :openid_connect, {
            name: :gatehouse,
            issuer: ${server.issuer},
            discovery: true,
            scope: %i[openid profile email],
            response_type: :code,
            pkce: true,
            client_options: {
              identifier: ${clientId},
              secret: ${clientSecret},
              redirect_uri: ${redirectUri}
            }
          }
        end
      `,
    },
    {
      title: 'config/routes.rb',
      ...ruby`
        get '/auth/gatehouse/callback', to: 'sessions#create'
      `,
    },
    {
      title: 'app/controllers/sessions_controller.rb',
      ...ruby`
        class SessionsController < ApplicationController
          def create
            reset_session
            session[:user] = request.env['omniauth.auth'].info.to_h
            redirect_to '/'
          end
        end
      `,
    },
    {
      title: 'In a view',
      ...ruby`
        <%= button_to 'Sign in', '/auth/gatehouse', data: { turbo: false } %>
      `,
    },
  ],
  trap: 'Sign-in starts with a POST, so use a button: a link is refused.',
  source: {
    version: 'omniauth_openid_connect 0.8',
    pages: ['omniauth_openid_connect: README'],
    notChecked: ['The files in a Rails app.'],
  },
  checked: 'documentation',
});
