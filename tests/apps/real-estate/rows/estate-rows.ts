import { generateKeyPair, SignJWT } from 'jose'
import { guesses } from '../../../../adapters/identity/dev-accounts.ts'
import type { DevIssuer } from '../../../../adapters/identity/dev-issuer.ts'
import { httpRates } from '../../../../apps/http/rates.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import { devIssuerRows } from '../../../../apps/real-estate/dev-issuer.ts'
import { dialects } from '../../../../apps/real-estate/dialects.ts'
import { DEV_SIGN_IN, panelRows } from '../../../../apps/real-estate/panel/panel.ts'
import { ROLES, type Role } from '../../../../core/real-estate/actor.ts'
import type { ApiUnderTest, Hostile, References, Roles, Tokens, Wording } from '../../rows/api-under-test.ts'
import { suiteOf } from '../../rows/suite.ts'
import { given } from '../given/given.ts'
import { type EstateTestApi, openEstateApi, worked } from '../test-api.ts'
import { ISSUER, type Signed } from '../test-provider.ts'
import { anew } from './anew.ts'
import { codeIn, fieldsIn, problemOf, wrongFailure } from './problems.ts'

const wording: Wording = {
  invalid: 400,
  usual: 'estate',
  unauthenticated: {
    ...problemOf(401, 'Não autenticado', 'token.invalid', 'Token ausente ou inválido.'),
    hint: 'Envie Authorization: Bearer TOKEN, com um ID token do provedor de identidade que ainda vale.',
  },
  lacking: problemOf(403, 'Acesso negado', 'permission.lacking', 'Seu papel não permite esta operação.'),
  fieldsIn,
  codeIn,
  wrongFailure,
}

/** What a token of the provider says. */
const claimsIn = (token: string): Signed => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** How far clocks may be apart. */
const LEEWAY_SECONDS = 60

const instantOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()

const tokens: Tokens<EstateTestApi> = {
  async wrong(api, token) {
    const claims = claimsIn(token)
    const { privateKey } = await generateKeyPair('ES256')
    const forged = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
    const secret = new TextEncoder().encode(ISSUER.padEnd(32))
    const weak = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    const before = claims.iat - LEEWAY_SECONDS - 1
    const others = [{ iss: 'https://example.com' }, { aud: 'another' }, { exp: before }, { sub: '' }]
    return Promise.all([forged, weak, ...others.map((other) => api.sign({ ...claims, ...other }))])
  },
  lapsesAt: (_, token) => instantOf(claimsIn(token).exp + LEEWAY_SECONDS),
}

/** Source: 03-real-estate.md, Authentication; decisions.md §6 and §10. */
const OFFICE: readonly Role[] = ['Admin', 'Broker', 'Financial']

const roles: Roles<EstateTestApi> = {
  all: ROLES,
  may: {
    'properties:read': [...OFFICE, 'Owner'],
    'properties:write': ['Admin', 'Broker'],
    'properties:move': OFFICE,
    'properties:remove': ['Admin'],
    'properties:feed': ['Admin'],
    'invitations:read': ['Admin'],
    'invitations:write': ['Admin'],
    'proposals:read': ['Admin', 'Broker'],
    'proposals:write': ['Admin', 'Broker'],
    'proposals:remove': ['Admin'],
    'contracts:read': [...OFFICE, 'Owner', 'Tenant'],
    'contracts:write': OFFICE,
    'contracts:remove': ['Admin'],
    'payments:read': ['Admin', 'Financial', 'Owner', 'Tenant'],
    'payments:write': ['Admin', 'Financial'],
    'payments:report': ['Admin', 'Financial'],
    'payments:remove': ['Admin'],
    'clients:read': ['Admin', 'Broker'],
    'clients:write': ['Admin', 'Broker'],
    'clients:remove': ['Admin'],
    'condominiums:read': ['Admin', 'Syndic'],
    'condominiums:write': ['Admin'],
    'condominiums:remove': ['Admin'],
    'commissions:read': OFFICE,
    'commissions:write': ['Admin', 'Financial'],
    'commissions:remove': ['Admin'],
    'visits:read': ['Admin', 'Broker'],
    'visits:write': ['Admin', 'Broker'],
    'visits:remove': ['Admin'],
    'brokers:read': ['Admin'],
    'brokers:write': ['Admin'],
    'brokers:remove': ['Admin'],
    'owners:read': ['Admin', 'Financial', 'Owner'],
    'company:read': ['Admin', 'Financial'],
    'company:write': ['Admin'],
    'notifications:read': ROLES,
    'notifications:check': ['Admin'],
    'files:read': ROLES,
    'files:write': ROLES,
    'dashboard:read': OFFICE,
  },
  async member(api, token, role) {
    const { sub: uid, email, email_verified } = claimsIn(token)
    // A stream lasts as long as the token by which it is read, and time goes on: whoever has this one has a new one.
    const lasting = await api.sign({ sub: uid, email, email_verified })
    const { id: userId, companyId } = worked(await api.ask('POST', '/api/auth/login', { token: lasting, body: {} }))
    const known = ROLES.find((each) => each === role) ?? 'Syndic'
    return (await api.colleague({ token: lasting, userId, companyId, email, uid }, known)).token
  },
}

const references: References = {
  unknownIds: ['00000000-0000-4000-8000-999999999999'],
  names: /(^id|Id|Ids)$/,
  fixtures: {
    clientId: 'client',
    ownerId: 'client',
    propertyId: 'property',
    contractId: 'contract',
    brokerId: 'broker',
    condominiumId: 'condominium',
    proposalId: 'proposal',
  },
  // The company is the caller's own, or new; a tax id is no reference at all.
  none: new Set(['companyId', 'resourceId', 'syndicId', 'taxId']),
  inBody: (id) => id,
}

const hostile: Hostile<EstateTestApi> = {
  asker: 'clients.show',
  // Source: decisions.md §10, Fields.
  keptAs: (name, text) => (name === 'creci' ? text.toUpperCase().normalize('NFC') : text),
  dialectsAt: (_, target) => (/googleapis/i.test(target) ? ['google', 'estate'] : ['estate']),
}

// Only what the rows say is read here: whoever runs them has a real issuer.
const issuerRows = devIssuerRows({} as DevIssuer, { keys: [] })

/** The real-estate API, its development issuer included, as the tests of rows know it. */
const estate: ApiUnderTest<EstateTestApi> = {
  rows: [...rows, ...panelRows(DEV_SIGN_IN), ...issuerRows],
  dialects,
  given,
  start: (t, { env, open }) => openEstateApi(t, { env, open }),
  collections: realEstate.collections,
  counts: { collections: [httpRates.name, guesses.throttles.name], fields: [] },
  keyless: new Set(['public']),
  wording,
  tokens,
  roles,
  references,
  anew,
  hostile,
}

export const estateRows = suiteOf(estate)
