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
  names: 'ruby, omniauth, devise, sinatra',
  questions: { address: appAddress('http://localhost:3000') },
  client: { ...webClient, authentication: 'basic', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/auth/gatehouse/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: [
    'Add the gems (bundle install), the two routes, the lines of the controller and the four files.',
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
            scope: %i[openid profile email offline_access],
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
      title: 'app/models/gatehouse.rb',
      ...ruby`
        # Finds out whether a sign-in goes on.
        module Gatehouse
          # What a session keeps of a token answer.
          def self.kept(refresh_token, expires_in)
            { 'refresh' => refresh_token, 'due' => Time.now.to_i + expires_in.to_i - 30 }
          end

          # Renews the token. Nil if the sign-in is over; while the server is away it stays as it is.
          def self.renewed(kept)
            answer = JSON.parse(Net::HTTP.post_form(URI(${server.token}), {
              grant_type: 'refresh_token', refresh_token: kept['refresh'],
              client_id: ${clientId}, client_secret: ${clientSecret}
            }).body)
            return nil if answer['error'] == 'invalid_grant'
            answer['access_token'] ? kept(answer['refresh_token'], answer['expires_in']) : kept
          rescue StandardError => failure
            Rails.logger.error(failure)
            kept
          end
        end
      `,
    },
    {
      title: 'app/controllers/application_controller.rb, inside the class',
      ...ruby`
        before_action :still_here

        # Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out.
        def still_here
          kept = session[:gatehouse]
          return unless kept && kept['due'] < Time.now.to_i
          renewed = Gatehouse.renewed(kept)
          renewed ? session[:gatehouse] = renewed : reset_session
        end
        private :still_here
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
            session[:gatehouse] = Gatehouse.kept(auth.credentials.refresh_token, auth.credentials.expires_in)
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
