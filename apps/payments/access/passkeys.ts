import { viewEach } from '../../../core/kernel/input/mod.ts'
import { tokenView } from '../../../core/payments/access/session.ts'
import { passkeyName, passkeyView } from '../../../core/payments/challenges/passkey.ts'
import {
  passkeyChallenge,
  passkeyLogIn,
  passkeyProof,
  passkeySecondStep,
} from '../../../core/payments/passkeys/assertion.ts'
import { passkeyCreationView, passkeyRequestView } from '../../../core/payments/passkeys/credential-json.ts'
import { newPasskey, registeredPasskeyView } from '../../../core/payments/passkeys/registration.ts'
import { provedView, secondStepView } from '../../../core/payments/second-factor/second-step.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { confirmationIn, originOf, route } from '../api.ts'
import { tokenExample } from './authentication.ts'

const ID = '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10'
const MOMENT = '2030-11-21T10:05:09-03:00'
const CREDENTIAL_ID = 'XBlGqAxvoWDCzMc2vJGmc0O8mWpDJpHvDmQ4TqRw1gA'
const BYTES = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
const CHALLENGE = 'aQ4mXb7Ld0sWzE2kRt9uVn5cYp8hJf3g'

const passkeyExample = { id: ID, name: 'Celular', synced: false, created_at: MOMENT, last_used_at: null }

const createdExample = { id: CREDENTIAL_ID, response: { clientDataJSON: BYTES, attestationObject: BYTES } }

const assertedExample = {
  id: CREDENTIAL_ID,
  response: { clientDataJSON: BYTES, authenticatorData: BYTES, signature: BYTES },
}

const proofExample = { challenge: CHALLENGE, ceremony: ID, credential: assertedExample }

const begun = { ceremony: ID, expires_at: MOMENT }
const options = { challenge: CHALLENGE, timeout: 300_000 }

const creationExample = {
  ...begun,
  public_key: {
    ...options,
    rp: { id: 'pay.example.com', name: 'Portico' },
    user: { id: BYTES, name: 'maria@example.com', displayName: 'Maria da Silva' },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  },
}

const knownExample = { type: 'public-key', id: CREDENTIAL_ID, transports: ['internal'] }

const requestExample = (userVerification: 'required' | 'preferred') => ({
  ...begun,
  public_key: {
    ...options,
    rpId: 'pay.example.com',
    allowCredentials: userVerification === 'required' ? [] : [knownExample],
    userVerification,
  },
})

const shared = { area: 'Segundo fator', dialect: 'v1', auth: 'session' } as const

/** The passkeys of a person. Each ceremony has two routes: the options of the browser's function, and its result. */
export const passkeyRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'passkeys.list',
    summary: 'Lista as chaves de acesso do usuário',
    paths: ['/v1/second-factor/passkeys'],
    run: ({ core, actor }) => core.passkeys.list(actor),
    reply: json({ message: 'Chaves de acesso listadas com sucesso.', view: viewEach(passkeyView) }),
    errors: { 'permission.lacking': {} },
    example: { given: 'passkey', data: [passkeyExample] },
  }),
  route({
    ...shared,
    name: 'passkeys.options',
    summary: 'Começa o cadastro de uma chave de acesso: responde as opções para o navegador',
    methods: ['POST'],
    paths: ['/v1/second-factor/passkeys/options'],
    // A replay would answer a request that is over.
    key: false,
    run: ({ core, actor }) => core.passkeys.beginRegistration(actor),
    reply: json({ message: 'Cadastro da chave de acesso iniciado.', view: passkeyCreationView }),
    errors: {
      'permission.lacking': {},
      'password.stale': {},
      'passkeys.off': {},
      'passkey.limit': {},
      'token.invalid': {},
    },
    example: { given: 'confirmed', data: creationExample },
  }),
  route({
    ...shared,
    name: 'passkeys.create',
    summary: 'Cadastra uma chave de acesso; com o primeiro segundo fator, mostra os códigos de recuperação uma vez',
    methods: ['POST'],
    paths: ['/v1/second-factor/passkeys'],
    // A replay would show the recovery codes again.
    key: false,
    input: { body: newPasskey },
    run: ({ core, actor, request }, { body }) =>
      core.passkeys.register({ ...actor, confirmation: confirmationIn(request) }, body),
    reply: json({ status: 201, message: 'Chave de acesso cadastrada com sucesso.', view: registeredPasskeyView }),
    errors: {
      'permission.lacking': {},
      'password.stale': {},
      'passkeys.off': {},
      'passkey.expired': {},
      'passkey.invalid': {},
      'passkey.taken': {},
      'passkey.limit': {},
      'second-factor.required': {},
      'token.invalid': {},
    },
    example: {
      given: 'begunPasskey',
      request: { body: { name: 'Celular', ceremony: ID, credential: createdExample } },
      data: { passkey: passkeyExample, recovery_codes: ['ABCD-EFGH-JKLM-NPQR'] },
    },
  }),
  route({
    ...shared,
    name: 'passkeys.rename',
    summary: 'Altera o nome de uma chave de acesso',
    methods: ['PATCH'],
    paths: ['/v1/second-factor/passkeys/:id'],
    input: { body: passkeyName },
    run: ({ core, actor, request }, { body }) => core.passkeys.rename(actor, request.params.id ?? '', body),
    reply: json({ message: 'Chave de acesso atualizada com sucesso.', view: passkeyView }),
    errors: { 'permission.lacking': {}, 'passkey.unknown': {} },
    example: {
      given: 'passkey',
      request: { params: { id: ID }, body: { name: 'Celular novo' } },
      data: { ...passkeyExample, name: 'Celular novo' },
    },
  }),
  route({
    ...shared,
    name: 'passkeys.remove',
    summary: 'Remove uma chave de acesso; exige X-Second-Factor',
    methods: ['DELETE'],
    paths: ['/v1/second-factor/passkeys/:id'],
    run: ({ core, actor, request }) =>
      core.passkeys.remove({ ...actor, confirmation: confirmationIn(request) }, request.params.id ?? ''),
    reply: json({ message: 'Chave de acesso removida com sucesso.' }),
    errors: {
      'permission.lacking': {},
      'password.stale': {},
      'passkey.unknown': {},
      'second-factor.required': {},
      'token.invalid': {},
    },
    example: { given: 'passkeyAndProof', request: { params: { id: ID } } },
  }),
]

const challenged = { area: 'Segundo fator', dialect: 'v1' } as const

/** The use of passkeys: as a second step, as a confirmation of a signed-in person, and for a log-in alone. */
export const passkeyUseRows: readonly AnyRow[] = [
  route({
    ...challenged,
    name: 'passkeys.begin-proof',
    summary: 'Começa a prova de um desafio por chave de acesso: responde as opções para o navegador',
    methods: ['POST'],
    paths: ['/v1/second-factor/proofs/passkey-options'],
    auth: 'public',
    input: { body: passkeyChallenge },
    run: ({ core }, { body }) => core.passkeys.beginProof(body),
    reply: json({ message: 'Peça a chave de acesso.', view: passkeyRequestView }),
    errors: { 'passkeys.off': {}, 'challenge.ended': {}, 'second-factor.locked': {}, 'passkey.none': {} },
    example: {
      given: 'passkeyChallenge',
      request: { body: { challenge: CHALLENGE } },
      data: requestExample('preferred'),
    },
  }),
  route({
    ...challenged,
    name: 'passkeys.prove',
    summary: 'Responde a um desafio por chave de acesso; envie depois o desafio no cabeçalho X-Second-Factor',
    methods: ['POST'],
    paths: ['/v1/second-factor/proofs/passkey'],
    auth: 'session',
    // An assertion is used once.
    key: false,
    input: { body: passkeyProof },
    run: ({ core, actor }, { body }) => core.passkeys.prove(actor, body),
    reply: json({ message: 'Desafio respondido com sucesso.', view: provedView }),
    errors: {
      'permission.lacking': {},
      'passkeys.off': {},
      'challenge.ended': {},
      'second-factor.wrong': {},
      'second-factor.locked': {},
    },
    example: {
      given: 'passkeyProof',
      request: { body: proofExample },
      data: { challenge: CHALLENGE, expires_at: MOMENT },
    },
  }),
  route({
    ...challenged,
    name: 'passkeys.complete-login',
    summary: 'Conclui um login que respondeu 202, por chave de acesso, e abre a sessão',
    methods: ['POST'],
    paths: ['/v1/auth/second-step/passkey'],
    auth: 'public',
    input: { body: passkeySecondStep },
    run: ({ core, request }, { body }) => core.passkeys.completeLogIn(body, originOf(request)),
    reply: json({ message: 'Login realizado com sucesso.', view: secondStepView }),
    errors: { 'passkeys.off': {}, 'challenge.ended': {}, 'second-factor.wrong': {}, 'second-factor.locked': {} },
    example: {
      given: 'passkeySecondStep',
      request: { body: proofExample },
      data: { ...tokenExample, device_token: null },
    },
  }),
  route({
    ...challenged,
    name: 'passkeys.log-in-options',
    summary: 'Começa um login só por chave de acesso: responde as opções para o navegador',
    methods: ['POST'],
    paths: ['/v1/auth/login/passkey-options'],
    auth: 'public',
    run: ({ core }) => core.passkeys.beginLogIn(),
    reply: json({ message: 'Peça a chave de acesso.', view: passkeyRequestView }),
    errors: { 'passkeys.off': {} },
    example: { data: requestExample('required') },
  }),
  route({
    ...challenged,
    name: 'passkeys.log-in',
    summary: 'Autentica um usuário só por chave de acesso, que vale também como segundo fator',
    methods: ['POST'],
    paths: ['/v1/auth/login/passkey'],
    auth: 'public',
    input: { body: passkeyLogIn },
    run: ({ core, request }, { body }) => core.passkeys.logIn(body, originOf(request)),
    reply: json({ message: 'Login realizado com sucesso.', view: tokenView }),
    errors: { 'passkeys.off': {}, 'passkey.wrong': {}, 'second-factor.locked': {} },
    example: {
      given: 'passkeyLogIn',
      request: { body: { ceremony: ID, credential: assertedExample } },
      data: tokenExample,
    },
  }),
]
