import { failure, isLeft, left, right } from '../failure.ts'
import {
  guid,
  type InputOf,
  input,
  inQuery,
  instant,
  month,
  nullIfAbsent,
  oneOf,
  output,
  required,
  view,
} from '../kernel/input/mod.ts'
import { all, eq, isIn, type Where } from '../kernel/records/record.ts'
import { inSlices, recordsById } from '../kernel/resources/queries.ts'
import { useCaseOf, withValidInput } from '../kernel/running/use-case.ts'
import { dayOf } from '../kernel/values/day.ts'
import type { OwnerStatementPaper } from '../ports/documents.ts'
import { byId, type Store } from '../ports/store.ts'
import { listOfCompany, ownerIds } from './reads.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts } from './real-estate-ports.ts'
import { type Contract, contracts } from './records/contract.ts'
import { monthText, namedView, percentOf, percentText } from './records/fields.ts'
import { PAYMENT_TYPE_TEXTS, type Payment, paymentFields, payments } from './records/payment.ts'
import { client, companies, users } from './records/people.ts'
import { properties } from './records/property.ts'
import { receiptEntries } from './records/receipt-entry.ts'
import { administrationOf, type Management, readManagements } from './terms/paid-terms.ts'

/** Statements for the owners of properties. */
export const owners = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns the income and expenses of an owner (a client, or a user with the role Owner) in a month, by the São
     * Paulo month of payment; owners get their own. Values are cents.
     * Fails: `fields`, `owner.unknown`.
     */
    readStatement: readStatement(ports),
    /**
     * Returns a statement as a PDF.
     * Fails: `fields`, `owner.unknown`.
     */
    drawStatement: drawStatement(ports),
  }),
} satisfies RealEstateModule

/** The effect of a payment on the owner's net: it adds, subtracts, or is only listed. */
const FLOWS = ['In', 'Out', 'Listed'] as const
type Flow = (typeof FLOWS)[number]

type Listed = Pick<Payment, 'contractId' | 'propertyId' | 'propertyCode' | 'type' | 'period' | 'notes'>
type Paid = Listed & Pick<Payment, 'id' | 'paidAt' | 'paidValueCents' | 'paidOwnerId' | 'paidAdministrationPercentage'>
type Term = Pick<Contract, 'id' | 'type' | 'administrationPercentage'>

/** A payment of an owner's property. */
export interface StatementEntry extends Listed {
  readonly paymentId: string
  readonly paidAt: string
  readonly flow: Flow
  readonly valueCents: number
  /** The administration fee of a rent; null and 0 for other payments. */
  readonly administrationPercentage: number | null
  readonly administrationCents: number
}

/** The income and expenses of an owner in a month; cents. */
export interface OwnerStatement {
  readonly owner: { readonly id: string; readonly name: string }
  readonly period: string
  /** In the order of payment. */
  readonly entries: readonly StatementEntry[]
  /** Rents and fines of leases. */
  readonly incomeCents: number
  readonly administrationCents: number
  /** Condominium, IPTU and expenses of management. */
  readonly expensesCents: number
  readonly netCents: number
}

const FLOW_OF: { readonly [C in Contract['type']]: { readonly [P in Payment['type']]?: Flow } } = {
  Lease: { Rent: 'In', Fine: 'In' },
  Management: { Condo: 'Out', IPTU: 'Out', Expense: 'Out' },
  Sale: {},
}

const entryOf = (
  paid: Paid & { readonly paidAt: string },
  term: Term | undefined,
  managements: readonly Management[],
): StatementEntry => {
  const { id: paymentId, contractId, propertyId, propertyCode, type, period, paidAt, notes } = paid
  const flow = (term && FLOW_OF[term.type][type]) ?? 'Listed'
  const valueCents = paid.paidValueCents ?? 0
  const administrationPercentage =
    paid.paidOwnerId === null
      ? administrationOf(paid, paidAt, term ?? null, managements)
      : paid.paidAdministrationPercentage
  return {
    paymentId,
    contractId,
    propertyId,
    propertyCode,
    type,
    period,
    paidAt,
    flow,
    valueCents,
    administrationPercentage,
    administrationCents: percentOf(valueCents, administrationPercentage ?? 0),
    notes,
  }
}

/** The payments of an owner's properties, and the contracts that decide their flow. */
export interface StatementFacts {
  readonly payments: readonly Paid[]
  /** The contracts of these payments, by id. */
  readonly contracts: ReadonlyMap<string, Term>
  /** The management contracts of payments without stored terms, newest first. */
  readonly managements: readonly Management[]
}

const sumOf = (entries: readonly StatementEntry[], cents: (entry: StatementEntry) => number): number =>
  entries.reduce((sum, entry) => sum + cents(entry), 0)

/**
 * Returns the statement of an owner: rents and fines of leases add; the administration of each rent (half up) and
 * condominium, IPTU and expenses of management contracts subtract; other payments are listed.
 */
export const ownerStatementOf = (
  owner: OwnerStatement['owner'],
  period: string,
  { payments, contracts, managements }: StatementFacts,
): OwnerStatement => {
  const entries = payments
    .flatMap((paid) => {
      const { paidAt } = paid
      return paidAt === null ? [] : [entryOf({ ...paid, paidAt }, contracts.get(paid.contractId), managements)]
    })
    .sort((a, b) => (`${a.paidAt}${a.paymentId}` < `${b.paidAt}${b.paymentId}` ? -1 : 1))
  const incomeCents = sumOf(entries, ({ flow, valueCents }) => (flow === 'In' ? valueCents : 0))
  const expensesCents = sumOf(entries, ({ flow, valueCents }) => (flow === 'Out' ? valueCents : 0))
  const administrationCents = sumOf(entries, (entry) => entry.administrationCents)
  const netCents = incomeCents - administrationCents - expensesCents
  return { owner, period, entries, incomeCents, administrationCents, expensesCents, netCents }
}

/** Returns an owner of the company: a client, or a user with the role Owner. An Owner finds only their own ids. */
const findOwner = async (store: Store, actor: Actor, requestedId: string): Promise<OwnerStatement['owner'] | null> => {
  const { companyId, role } = actor
  const id = requestedId.toLowerCase()
  if (role === 'Owner' && !(await ownerIds(store, actor)).includes(id)) return null
  const found = await client.find(store, companyId, id)
  if (found) return found
  const user = await store.find(byId(users, id))
  return user?.companyId === companyId && user.role === 'Owner' && user.removedAt === null ? user : null
}

/** Reads the ids of an owner's properties, removed ones included: their payments stay in the statement. */
const propertyIdsOf = async (store: Store, companyId: string, ownerId: string): Promise<readonly string[]> =>
  (await listOfCompany(store, properties, companyId, { where: eq('ownerId', ownerId) })).map(({ id }) => id)

const readPaid = (
  store: Store,
  companyId: string,
  period: string,
  ...more: readonly Where<keyof Payment & string>[]
) => {
  const where = all(eq('paidMonth', period), ...more)
  return listOfCompany(store, payments, companyId, { where, when: 'paid', sort: { by: 'paidMonth', dir: 'desc' } })
}

/** Reads the receipt entries of a month, of payments that were opened again, in the form of payments. */
const readEntries = async (
  store: Store,
  companyId: string,
  ownerId: string,
  period: string,
): Promise<readonly Paid[]> => {
  const query = { where: all(eq('ownerId', ownerId), eq('month', period)), sort: { by: 'month', dir: 'desc' } } as const
  return (await listOfCompany(store, receiptEntries, companyId, query)).map((entry) => ({
    ...entry,
    id: entry.paymentId,
    paidAt: entry.at,
    paidValueCents: entry.valueCents,
    paidOwnerId: entry.ownerId,
    paidAdministrationPercentage: entry.administrationPercentage,
  }))
}

/**
 * Reads the payments to an owner in a month. Payments that release 0.10.0 marked as paid have no stored owner: they
 * belong to the current owner of the property.
 */
const readFacts = async (store: Store, companyId: string, ownerId: string, period: string): Promise<StatementFacts> => {
  const withOwner = await readPaid(store, companyId, period, eq('paidOwnerId', ownerId))
  const withoutOwner: Payment[] = []
  for (const ids of inSlices(await propertyIdsOf(store, companyId, ownerId)))
    withoutOwner.push(...(await readPaid(store, companyId, period, eq('paidOwnerId', null), isIn('propertyId', ids))))
  const propertyIds = [...new Set(withoutOwner.flatMap(({ propertyId }) => (propertyId === null ? [] : [propertyId])))]
  const managements: Contract[] = []
  for (const ids of inSlices(propertyIds)) managements.push(...(await readManagements(store, companyId, ids)))
  const paid = [...withOwner, ...withoutOwner, ...(await readEntries(store, companyId, ownerId, period))]
  const ids = paid.map(({ contractId }) => contractId)
  return { payments: paid, managements, contracts: await recordsById(store, contracts, companyId, ids) }
}

const readStatement = (ports: RealEstatePorts) => (actor: Actor, id: string, submitted: StatementPeriod) =>
  withValidInput(ports, statementPeriod, submitted, ({ period }) =>
    useCaseOf<OwnerStatement>()(async () => {
      const { store } = ports
      const owner = await findOwner(store, actor, id)
      if (!owner) return left(failure('not-found', 'owner.unknown'))
      const facts = await readFacts(store, actor.companyId, owner.id, period)
      return right(ownerStatementOf({ id: owner.id, name: owner.name }, period, facts))
    }),
  )

export interface OwnerStatementPdf {
  readonly ownerId: string
  readonly period: string
  readonly pdf: Uint8Array
}

const SIGNS = { In: 1, Out: -1, Listed: null } as const

/** The longest note that fits in a line. */
const MAX_NOTES = 300

const paperOf = (statement: OwnerStatement, agency: string | null, issuedAt: string): OwnerStatementPaper => ({
  ...statement,
  agency,
  owner: statement.owner.name,
  issuedAt,
  lines: statement.entries.flatMap((entry) => {
    const sign = SIGNS[entry.flow]
    const { propertyCode: property, valueCents, administrationCents, administrationPercentage } = entry
    const day = dayOf(entry.paidAt)
    const description = [
      `${PAYMENT_TYPE_TEXTS[entry.type]} ${monthText(entry.period)}`,
      entry.notes?.slice(0, MAX_NOTES),
    ]
      .filter(Boolean)
      .join(' · ')
    const line = { day, property, description, valueCents, effectCents: sign === null ? null : sign * valueCents }
    if (administrationCents === 0) return [line]
    const fee = `Taxa de administração de ${percentText(administrationPercentage)}`
    return [line, { ...line, description: fee, valueCents: administrationCents, effectCents: -administrationCents }]
  }),
})

const drawStatement = (ports: RealEstatePorts) => {
  const read = readStatement(ports)
  return (actor: Actor, id: string, submitted: StatementPeriod) =>
    useCaseOf<OwnerStatementPdf>()(async () => {
      const statement = await read(actor, id, submitted)()
      if (isLeft(statement)) return statement
      const { store, clock, ownerStatementRenderer } = ports
      const company = await store.find(byId(companies, actor.companyId))
      const paper = paperOf(statement.right, company?.legalName ?? null, clock.now())
      const pdf = await ownerStatementRenderer.ownerStatementPdf(paper)
      return right({ ownerId: statement.right.owner.id, period: statement.right.period, pdf })
    })
}

export const periodFields = { period: required(inQuery.month({ about: 'Mês em que foi pago' })) }
const statementPeriod = input('OwnerStatementPeriod', periodFields)
export type StatementPeriod = InputOf<typeof statementPeriod>

const propertyView = view(
  'StatementProperty',
  { id: nullIfAbsent(guid({ about: 'Identificador' })), code: output.text({ about: 'Código' }) },
  ({ propertyId: id, propertyCode: code }: StatementEntry) => ({ id, code }),
)

const { type, period, notes } = paymentFields

const entryView = view(
  'StatementEntry',
  {
    paymentId: guid({ about: 'Identificador do pagamento' }),
    contractId: guid({ about: 'Identificador do contrato' }),
    property: output.view(propertyView, { about: 'O imóvel' }),
    type,
    period,
    paidAt: instant({ about: 'Quando foi pago' }),
    flow: oneOf(FLOWS, { about: 'In: entra; Out: sai; Listed: só é informado' }),
    valueCents: output.money({ wire: 'value', about: 'Quanto foi pago; negativo se foi devolvido' }),
    administrationPercentage: nullIfAbsent(output.number({ about: 'Taxa de administração, em %; null se não há' })),
    administrationCents: output.money({ wire: 'administration', about: 'Taxa de administração' }),
    notes,
  },
  (of: StatementEntry) => ({ ...of, property: of }),
)

export const ownerStatementView = view('OwnerStatement', {
  owner: output.view(namedView('StatementOwner'), { about: 'O proprietário' }),
  period: month({ about: 'Mês em que foi pago' }),
  entries: output.views(entryView, { about: 'O que foi pago, na ordem em que foi' }),
  incomeCents: output.money({ wire: 'totalIncome', about: 'Aluguéis e multas de locações' }),
  administrationCents: output.money({ wire: 'totalAdministration', about: 'Taxas de administração' }),
  expensesCents: output.money({ wire: 'totalExpenses', about: 'Condomínio, IPTU e despesas de administração' }),
  netCents: output.money({ wire: 'net', about: 'O que cabe ao proprietário' }),
})
