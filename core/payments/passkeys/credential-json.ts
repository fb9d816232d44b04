import {
  type DecodedOf,
  guid,
  input,
  list,
  nullIfAbsent,
  object,
  oneOf,
  output,
  text,
  timestamp,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import type { PasskeySite, PasskeyVerifier } from '../../ports/passkeys.ts'
import type { Passkey } from '../challenges/passkey.ts'
import type { User } from '../members/user.ts'
import { type BegunCeremony, CEREMONY_SECONDS, type Ceremony } from './ceremony.ts'

/** Names of WebAuthn have its own spelling in every dialect. */
const binary = (max: number, wire: string, about: string) =>
  text({ max, wire, about, pattern: { regex: /^[A-Za-z0-9_-]+$/, code: 'text.malformed' } })

/** The longest credential id has 1,023 bytes. */
const MAX_ID = 1_364
const MAX_CLIENT_DATA = 8_192
const MAX_ATTESTATION = 32_768
const MAX_AUTHENTICATOR_DATA = 4_096
const MAX_SIGNATURE = 8_192
const MAX_HANDLE = 128

const credentialId = binary(MAX_ID, 'id', 'Identificador da chave, em base64url')
const clientDataJson = binary(MAX_CLIENT_DATA, 'clientDataJSON', 'Em base64url')

const transports = withDefault(
  list(text({ max: 32, pattern: { regex: /^[a-z-]+$/, code: 'text.malformed' } }), {
    max: 10,
    about: 'Como o navegador alcança o autenticador: `internal`, `usb`, `hybrid`',
  }),
  [],
)

/** The result of `navigator.credentials.create` as `toJSON()` returns it. */
export const createdCredential = object(
  input('CreatedPasskey', {
    id: credentialId,
    response: object(
      input('AuthenticatorAttestation', {
        clientDataJson,
        attestationObject: binary(MAX_ATTESTATION, 'attestationObject', 'Em base64url'),
        transports,
      }),
      { about: 'Resposta do autenticador' },
    ),
  }),
  { about: 'O resultado de `navigator.credentials.create`, como `toJSON()` o mostra' },
)

const assertedCredentialInput = input('AssertedPasskey', {
  id: credentialId,
  response: object(
    input('AuthenticatorAssertion', {
      clientDataJson,
      authenticatorData: binary(MAX_AUTHENTICATOR_DATA, 'authenticatorData', 'Em base64url'),
      signature: binary(MAX_SIGNATURE, 'signature', 'Em base64url'),
      userHandle: nullIfAbsent(binary(MAX_HANDLE, 'userHandle', 'Em base64url')),
    }),
    { about: 'Resposta do autenticador' },
  ),
})
export type AssertedCredential = DecodedOf<typeof assertedCredentialInput>

/** The result of `navigator.credentials.get` as `toJSON()` returns it. */
export const assertedCredential = object(assertedCredentialInput, {
  about: 'O resultado de `navigator.credentials.get`, como `toJSON()` o mostra',
})

export const ceremonyField = guid({ about: 'O pedido ao autenticador, que uma resposta encerra' })

const credentialView = view(
  'PasskeyDescriptor',
  {
    type: oneOf(['public-key'], { about: 'O tipo da chave' }),
    id: output.text({ about: 'Em base64url' }),
    transports: list(output.text(), { max: 10, about: 'Por onde o autenticador se liga: `usb`, `internal`' }),
  },
  ({ credentialId: id, transports }: Pick<Passkey, 'credentialId' | 'transports'>) => ({
    type: 'public-key' as const,
    id,
    transports,
  }),
)

/** A begun registration: the options of `navigator.credentials.create`. */
export interface PasskeyCreation extends Pick<PasskeyVerifier, 'algorithms'> {
  readonly ceremony: Ceremony
  readonly site: PasskeySite
  readonly handle: string
  readonly user: Pick<User, 'name' | 'email'>
  /** The passkeys of the person, whose authenticators make no second one. */
  readonly known: readonly Passkey[]
}

/** A begun log-in or proof: the options of `navigator.credentials.get`. */
export interface PasskeyRequest {
  readonly ceremony: Ceremony
  readonly site: PasskeySite
  /** The passkeys that may answer; empty for every one of the site. */
  readonly known: readonly Passkey[]
  readonly requiresVerification: boolean
}

const shared = {
  challenge: output.text({ about: 'Os bytes a assinar, em base64url' }),
  timeout: output.count({ about: 'Em milissegundos' }),
}

const sharedOf = ({ challenge }: Ceremony) => ({ challenge, timeout: CEREMONY_SECONDS * 1_000 })

const creationOptions = view(
  'PasskeyCreationOptions',
  {
    ...shared,
    rp: output.view(view(null, { id: output.text({ about: 'O domínio' }), name: output.text({ about: 'O nome' }) }), {
      about: 'O site',
    }),
    user: output.view(
      view(
        null,
        {
          id: output.text({ about: 'Em base64url, sem dados da pessoa' }),
          name: output.text({ about: 'O e-mail' }),
          displayName: output.text({ wire: 'displayName', about: 'O nome' }),
        },
        ({ handle: id, user: { email, name } }: PasskeyCreation) => ({ id, name: email, displayName: name }),
      ),
      { about: 'A pessoa, como o autenticador a mostra' },
    ),
    algorithms: output.views(
      view(
        null,
        {
          type: oneOf(['public-key'], { about: 'O tipo da chave' }),
          alg: output.number({ about: 'O número do algoritmo em COSE' }),
        },
        (alg: number) => ({ type: 'public-key' as const, alg }),
      ),
      { wire: 'pubKeyCredParams', about: 'Os algoritmos aceitos, por seus números em COSE' },
    ),
    known: output.views(credentialView, { wire: 'excludeCredentials', about: 'As chaves que a pessoa já tem' }),
    selection: output.view(
      view(
        null,
        {
          residentKey: oneOf(['preferred'], { wire: 'residentKey', about: 'Se a chave fica no autenticador' }),
          userVerification: oneOf(['preferred'], {
            wire: 'userVerification',
            about: 'Se a pessoa se identifica a ele',
          }),
        },
        (preferred: 'preferred') => ({ residentKey: preferred, userVerification: preferred }),
      ),
      { wire: 'authenticatorSelection', about: 'O que o autenticador deve saber fazer' },
    ),
    attestation: oneOf(['none'], { about: 'Nenhuma prova do modelo do autenticador' }),
  },
  (creation: PasskeyCreation) => ({
    ...sharedOf(creation.ceremony),
    rp: creation.site,
    user: creation,
    algorithms: creation.algorithms,
    known: creation.known,
    selection: 'preferred' as const,
    attestation: 'none' as const,
  }),
)

const requestOptions = view(
  'PasskeyRequestOptions',
  {
    ...shared,
    rpId: output.text({ wire: 'rpId', about: 'O domínio do site' }),
    known: output.views(credentialView, {
      wire: 'allowCredentials',
      about: 'As chaves que podem responder; vazio para qualquer uma do site',
    }),
    userVerification: oneOf(['required', 'preferred'], {
      wire: 'userVerification',
      about: 'Se o aparelho deve reconhecer a pessoa',
    }),
  },
  ({ ceremony, site, known, requiresVerification }: PasskeyRequest) => ({
    ...sharedOf(ceremony),
    rpId: site.id,
    known,
    userVerification: requiresVerification ? ('required' as const) : ('preferred' as const),
  }),
)

const ceremonyFields = {
  ceremony: ceremonyField,
  expiresAt: timestamp({ about: 'Até quando o pedido aceita uma resposta' }),
}

const ceremonyOf = ({ ceremony: { id: ceremony, expiresAt } }: Pick<BegunCeremony, 'ceremony'>) => ({
  ceremony,
  expiresAt,
})

export const passkeyCreationView = view(
  'PasskeyCreation',
  {
    ...ceremonyFields,
    options: output.view(creationOptions, {
      wire: 'public_key',
      about: 'Para `PublicKeyCredential.parseCreationOptionsFromJSON` e `navigator.credentials.create`',
    }),
  },
  (creation: PasskeyCreation) => ({ ...ceremonyOf(creation), options: creation }),
)

export const passkeyRequestView = view(
  'PasskeyRequest',
  {
    ...ceremonyFields,
    options: output.view(requestOptions, {
      wire: 'public_key',
      about: 'Para `PublicKeyCredential.parseRequestOptionsFromJSON` e `navigator.credentials.get`',
    }),
  },
  (request: PasskeyRequest) => ({ ...ceremonyOf(request), options: request }),
)
