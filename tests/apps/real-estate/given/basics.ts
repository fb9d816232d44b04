import { addDays, dayOf } from '../../../../core/kernel/values/day.ts'
import { notifications as collection } from '../../../../core/real-estate/office.ts'
import { storedIn } from '../../../core/real-estate/records.ts'
import type { Fixture as FixtureOf, Given } from '../../rows/api-under-test.ts'
import { type Answer, type EstateTestApi, next, openEstateApi, type Person, worked } from '../test-api.ts'

/** Creates the records that an example needs, through the app. Each call creates its own. */
export type Fixture = FixtureOf<EstateTestApi>

/** Opens the API with an agency, and functions that ask as its Admin and that store its records. */
export const openAgency = async (...opening: Parameters<typeof openEstateApi>) => {
  const api = await openEstateApi(...opening)
  const admin = await api.agency()
  const { token } = admin
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.ask(method, path, { token, body, headers })
  const stored = storedIn(api, admin)
  return { api, admin, token, ask, send: importing(api, admin), stored, ...stored }
}

/** A fixture of a new agency, sent with the token of its Admin. */
export const byAdmin =
  (make: (api: EstateTestApi, admin: Person) => Promise<Omit<Given, 'token'>>): Fixture =>
  async (api) => {
    const admin = await api.agency()
    return { token: admin.token, ...(await make(api, admin)) }
  }

/** Creates a record by a POST and returns the reply. */
export const post = async (
  api: EstateTestApi,
  { token }: Pick<Person, 'token'>,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer['body']> => worked(await api.ask('POST', path, { token, body }))

/** An address without a complement. */
export const HOME = {
  ...{ street: 'Rua das Flores', number: '100', neighborhood: 'Centro' },
  ...{ city: 'São Paulo', state: 'SP', zipCode: '01310-100' },
}

/** Creates a client. */
export const aClient = (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) =>
  post(api, admin, '/api/clients', {
    name: 'Maria da Silva',
    email: `maria${next()}@example.com`,
    type: 'Individual',
    interest: 'Lease',
    ...over,
  })

const admin: Fixture = async (api) => {
  const { token } = await api.agency({ legalName: 'Imobiliária Aurora Ltda.', taxId: '11222333000181' })
  return { token }
}

/** A user of the provider who is not registered. */
const newcomer: Fixture = async (api) => {
  const own = { firebaseUid: `uid-new-${next()}`, email: `nova${next()}@example.com` }
  const token = await api.sign({ sub: own.firebaseUid, email: own.email, email_verified: true })
  return { token, body: own }
}

/** Invites an e-mail and returns the token of the mail. */
export const invited = async (api: EstateTestApi, by: Pick<Person, 'token'>, email: string, role = 'Broker') => {
  const { id } = await post(api, by, '/api/invitations', { email, role })
  const [, token = ''] = /#convite=(\w+)/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
  return { id, token } as const
}

const invitation = byAdmin(async (api, by) => {
  const { id } = await invited(api, by, `convite${next()}@example.com`)
  return { params: { id } }
})

/** A user of the provider with the token of an invitation. */
const invitee: Fixture = async (api) => {
  const own = { sub: `uid-invited-${next()}`, email: `convite${next()}@example.com` }
  const { token } = await invited(api, await api.agency({ legalName: 'Imobiliária Aurora Ltda.' }), own.email)
  return { token: await api.sign({ ...own, email_verified: true }), body: { token } }
}

type Over = Readonly<Record<string, unknown>>

export const { neighborhood: _, ...PLACE } = HOME

const pad = (): string => `${next()}`.padStart(8, '0')

const checkDigit = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0)
  const rest = sum % 11
  return `${rest < 2 ? 0 : 11 - rest}`
}

/** Returns a new valid CNPJ with each call. */
export const aTaxId = (): string => {
  const base = `${pad()}0001`
  const first = checkDigit(base)
  return `${base}${first}${checkDigit(`${base}${first}`)}`
}

/** Creates a broker. */
export const aBroker = (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const number = next()
  const own = { name: 'Bruno Lima', creci: `CRECI-SP ${number}`, email: `bruno${number}@example.com` }
  return post(api, admin, '/api/brokers', { ...own, status: 'Active', ...over })
}

/** Creates a condominium with a syndic of its own. */
export const aCondominium = async (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const syndicId = over.syndicId ?? (await api.colleague(admin, 'Syndic')).userId
  const own = { name: 'Edifício Aurora', taxId: aTaxId(), address: PLACE }
  return post(api, admin, '/api/condominiums', { ...own, syndicId, ...over })
}

/** Creates a property with an owner of its own. */
export const aProperty = async (api: EstateTestApi, admin: Person, over: Over = {}) => {
  const ownerId = over.ownerId ?? (await aClient(api, admin)).id
  const own = { code: `AP-${next()}`, type: 'Apartment', purpose: 'Both', rentPrice: 2500, salePrice: 500_000 }
  return post(api, admin, '/api/properties', { ...own, address: PLACE, ownerId, ...over })
}

const syndic = byAdmin(async (api, by) => ({ body: { syndicId: (await api.colleague(by, 'Syndic')).userId } }))

const leasedUnit = byAdmin(async (api, by) => {
  const { id } = await aCondominium(api, by)
  const { propertyOf, contractOf } = storedIn(api, by)
  const unit = await propertyOf({ condominiumId: id })
  await contractOf({ propertyId: unit.id, propertyCode: unit.code, clientId: (await aClient(api, by)).id })
  return { params: { id } }
})

/** Creates the records that a property refers to. */
const named = async (api: EstateTestApi, by: Person) => ({
  ownerId: (await aClient(api, by)).id,
  brokerId: (await aBroker(api, by)).id,
  condominiumId: (await aCondominium(api, by)).id,
})

const listable = byAdmin(async (api, by) => ({ body: await named(api, by) }))

/** The optional fields of a property. */
const OPTIONAL = {
  address: HOME,
  bedrooms: 2,
  bathrooms: 1,
  parkingSpots: 1,
  privateArea: 60.5,
  totalArea: 80,
  condoFee: 600.5,
  annualIptu: 1200,
  images: ['https://fotos.aurora.example/ap-101/sala.jpg'],
  idealFraction: 0.0125,
  description: 'Apartamento claro, perto do metrô.',
  floorPlanUrl: 'https://fotos.aurora.example/ap-101/planta.png',
}

const property = byAdmin(async (api, by) => {
  const body = await named(api, by)
  const { id } = await aProperty(api, by, { ...OPTIONAL, ...body })
  return { params: { id }, body }
})

const feed: Fixture = async (api) => {
  const by = await api.agency()
  const { url } = await post(api, by, '/api/properties/feed-token', {})
  return { query: { token: new URL(url).searchParams.get('token') ?? '' } }
}

/** Stores the parties of a visit. */
const visitors = async (api: EstateTestApi, by: Person) => {
  const stored = storedIn(api, by)
  const [property, client, broker] = [
    await stored.propertyOf(),
    await stored.clientOf({ phone: '11988880000' }),
    await stored.brokerOf(),
  ]
  return { propertyId: property.id, clientId: client.id, brokerId: broker.id }
}

const visitable = byAdmin(async (api, by) => ({ body: await visitors(api, by) }))

const visit = byAdmin(async (api, by) => {
  const body = await visitors(api, by)
  const details = { scheduledAt: '2030-11-25T14:00:00-03:00', notes: 'O cliente vem de carro.' }
  const { id } = await post(api, by, '/api/visits', { ...body, ...details })
  return { params: { id }, body }
})

const calendar: Fixture = async (api) => {
  const by = await api.agency()
  const { brokerId } = await visitors(api, by)
  const { url } = await post(api, by, '/api/visits/calendar-token', { brokerId })
  return { query: { token: new URL(url).searchParams.get('token') ?? '' } }
}

const file = byAdmin(async (api, by) => {
  const { id } = await post(api, by, '/api/files', {
    fileName: 'planta.pdf',
    storagePath: 'floor-plans/planta.pdf',
    url: 'https://storage.example.com/floor-plans/planta.pdf',
    contentType: 'application/pdf',
    sizeBytes: 1_024,
  })
  return { params: { id } }
})

/** An Admin who is also the broker of a visit, notified of its confirmation. */
const notified = byAdmin(async (api, by) => {
  const brokerId = (await storedIn(api, by).brokerOf({ email: by.email })).id
  const scheduledAt = '2030-11-25T14:00:00-03:00'
  const visit = await post(api, by, '/api/visits', { ...(await visitors(api, by)), brokerId, scheduledAt })
  worked(await api.ask('PATCH', `/api/visits/${visit.id}/status`, { token: by.token, body: { status: 'Confirmed' } }))
  await api.drain()
  const notification = (await api.every(collection)).find(({ userId }) => userId === by.userId)
  if (!notification) throw new Error('no notification')
  return { params: { id: notification.id } }
})

/** A contract that ends soon, with an overdue payment. */
const alarming = byAdmin(async (api, by) => {
  const stored = storedIn(api, by)
  const today = dayOf(api.clock.now())
  const contract = await stored.contractOf({ endDate: addDays(today, 10) })
  await stored.paymentOf(contract, { dueDate: addDays(today, -1) })
  return {}
})

const PASSWORD = 'segredo-123'

const signUp = async (api: EstateTestApi) => {
  const body = { email: `dev${next()}@example.com`, password: PASSWORD }
  return worked(await api.ask('POST', '/identitytoolkit.googleapis.com/v1/accounts:signUp', { body }))
}

/** An e-mail without an account at the development issuer. */
const devNewcomer: Fixture = async () => ({ body: { email: `dev${next()}@example.com` } })

/** An account with the password of the examples. */
const devAccount: Fixture = async (api) => ({ body: { email: (await signUp(api)).email } })

const devSession: Fixture = async (api) => ({ body: { idToken: (await signUp(api)).idToken } })

const devGrant: Fixture = async (api) => ({ body: { refresh_token: (await signUp(api)).refreshToken } })

const devCode: Fixture = async (api) => {
  const { email } = await signUp(api)
  const body = { requestType: 'PASSWORD_RESET', email }
  worked(await api.ask('POST', '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode', { body }))
  const [, oobCode = ''] = /oobCode=(\S+)/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
  return { body: { oobCode } }
}

/** Imports a file at a path such as `properties/import`. */
export const importing =
  (api: EstateTestApi, { token }: Pick<Person, 'token'>) =>
  (target: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.ask('POST', `/api/${target}`, { token, body, headers: { 'content-type': 'text/csv', ...headers } })

/** Returns the errors of each line by its number, as `field: code`. */
export const wrongByLine = ({ body }: Answer): Readonly<Record<number, readonly string[]>> =>
  Object.fromEntries(
    body.lines.flatMap(({ line, errors }: Answer['body']) =>
      errors ? [[line, errors.map(({ field, code }: Answer['body']) => `${field}: ${code}`)]] : [],
    ),
  )

/** Returns the lines that created a record. */
export const madeLines = ({ body }: Answer): readonly number[] =>
  body.lines.flatMap(({ line, id }: Answer['body']) => (id === undefined ? [] : [line]))

const TITLES = 'name,email,type,interest'

/** Returns a file of so many clients, each with its own e-mail. */
export const clientsOf = (count: number): string =>
  [TITLES, ...Array.from({ length: count }, (_, at) => `Cliente ${at},c${at}@example.com,Individual,Lease`)].join('\n')

/** The fixtures of people, listings, visits, files, notifications and the development issuer. */
export const basics: Readonly<Record<string, Fixture>> = {
  admin,
  newcomer,
  invitation,
  invited: invitee,
  syndic,
  listable,
  property,
  feed,
  'leased-unit': leasedUnit,
  visitable,
  visit,
  calendar,
  file,
  notified,
  alarming,
  devNewcomer,
  devAccount,
  devSession,
  devGrant,
  devCode,
}
