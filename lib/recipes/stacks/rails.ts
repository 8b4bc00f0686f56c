import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { html, onlyIf, ruby } from '../text.ts';

const overHttp = `

# The library asks for the metadata over https unless told otherwise.
SWD.url_builder = URI::HTTP`;

export const rails = recipe({
  id: 'rails',
  name: 'Rails with OmniAuth',
  mark: 'rubyonrails',
  kind: 'stack',
  summary: 'Ruby; omniauth_openid_connect',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/auth/gatehouse/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Add the gems (bundle install), the two routes and the three files.',
    'Put the two buttons into a view.',
    'Start the app and press the button.',
    'Key your accounts on the sub of the user in the session. It never becomes someone else’s.',
  ],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'Gemfile, at the end',
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

        # In development too, where OmniAuth would raise an error.
        OmniAuth.config.on_failure = ->(env) { SessionsController.action(:failure).call(env) }${onlyIf(server.issuer.startsWith('http:'), overHttp)}
      `,
    },
    {
      title: 'config/routes.rb, inside the block',
      ...ruby`
        get '/auth/gatehouse/callback', to: 'sessions#create'
        post '/logout', to: 'sessions#destroy'
      `,
    },
    {
      title: 'app/controllers/sessions_controller.rb',
      ...ruby`
        class SessionsController < ApplicationController
          def create
            auth = request.env['omniauth.auth']
            reset_session
            session[:user] = { 'sub' => auth.uid, 'name' => auth.info.nickname }
            session[:id_token] = auth.credentials.id_token
            redirect_to '/'
          end

          def failure
            @error = request.env['omniauth.error.type'].to_s
            render 'sessions/failure', status: @error == 'access_denied' ? 200 : 400
          end

          # Out of this app, then out of Gatehouse.
          def destroy
            query = { post_logout_redirect_uri: ${`${address}/`}, id_token_hint: session[:id_token] }
            reset_session
            address = ${server.logout} + '?' + query.compact.to_query
            redirect_to address, allow_other_host: true, status: :see_other
          end
        end
      `,
    },
    {
      title: 'app/views/sessions/failure.html.erb',
      ...html`
        <p><%= @error == 'access_denied' ? 'You said no.' : "The sign-in failed: #{@error}" %></p>
        <%= button_to 'Try again', '/auth/gatehouse', data: { turbo: false } %>
      `,
    },
    {
      title: 'In a view',
      ...html`
        <% if session[:user] %>
          <p>Signed in as <%= session[:user]['name'] %></p>
          <%= button_to 'Sign out', '/logout', data: { turbo: false } %>
        <% else %>
          <%= button_to 'Sign in', '/auth/gatehouse', data: { turbo: false } %>
        <% end %>
      `,
    },
  ],
  trap: 'Sign-in starts with a POST, so use a button: a link is refused.',
  source: {
    version: 'omniauth_openid_connect 0.8; run with Rails 6.1 and GitLab’s fork of it, 0.10',
    pages: ['omniauth_openid_connect: README', 'OmniAuth: README'],
    notChecked: [
      'Rails 7 and 8, and PKCE: our tests run these files with what Debian packages, where the gem is GitLab’s fork, which sends none.',
    ],
  },
  checked: 'run',
});
