import test, { type ExecutionContext } from 'ava'
import type { SqliteStore } from '../../../../adapters/sqlite/store.ts'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import type { Query, Store } from '../../../../core/ports/store.ts'
import { realEstateCollections } from '../../../../core/real-estate/real-estate.ts'
import { fillAgency } from '../../../bench/agency/history.ts'
import { type AgencyQuestion, agencyQuestions } from '../../../bench/agency/questions.ts'
import { openSqlite, recording } from '../../observed-store.ts'
import { openAgency } from '../world.ts'

const SIZE = 1_000

const opened = async (t: ExecutionContext): Promise<SqliteStore> => {
  const store = await openSqlite(t, realEstateCollections)
  await fillAgency(store, SIZE)
  return store
}

/** Records the queries for several records during a call. */
const askedBy = async (
  t: ExecutionContext,
  store: Store,
  { name, asks }: AgencyQuestion,
): Promise<readonly Query[]> => {
  const { asked, recorded } = recording(store)
  const answer = await asks(openAgency({ store: recorded }).agency)
  t.is(answer._tag, 'Right', name)
  return asked
}

/** The index of a page beside the company: each filter alone that has one. */
const INDEXED: Readonly<Record<string, string>> = {
  brokerId: 'brokerId=',
  ownerId: 'ownerId=',
  condominiumId: 'condominiumId=',
  propertyId: 'propertyId=',
  clientId: 'clientId=',
  contractId: 'contractId=',
  syndicId: 'syndicId=',
  period: 'period=',
  expiringDays: 'endDate> endDate<',
  dateFrom: 'scheduledAt>',
  dateTo: 'scheduledAt<',
  'dateFrom dateTo': 'scheduledAt> scheduledAt<',
}
/** A range of days has few records, which are sorted in memory. */
const SORTED = ['expiringDays', 'dateFrom', 'dateTo', 'dateFrom dateTo']
/**
 * Lists that scan a company's records in order: searches and filters of few values. The bench limits them to 50 ms of
 * 100,000.
 */
const WALKING = ['', 'search', 'status', 'type', 'purpose', 'interest', 'contentType']
/** The lists of a report: late payments, and open ones newest first. */
const OVERDUE = /^SEARCH \S+_tally_\d |USING INDEX \S+__(?:dueDate__pending|createdAt__open) /m
/** Counts from tallies. */
const COUNTED = ['', 'status', 'type', 'purpose', 'interest', 'contentType', 'unreadOnly']

const leads = /SEARCH estate\.\w+ USING (?:COVERING )?INDEX estate\S+ \(f_(?:companyId|userId)=\?(?: AND )?([^)]*)\)/
const fieldsIn = (plan: string): string | undefined =>
  leads.exec(plan)?.[1]?.replaceAll(/f_|\?/g, '').replaceAll(' AND', '')
const namesOf = ({ filter }: AgencyQuestion): string => Object.keys(filter).join(' ')

test('each list uses an index of its filter in the list’s order, and counts use a tally', async (t) => {
  const store = await opened(t)
  for (const question of agencyQuestions.filter(({ route }) => route.endsWith('.list'))) {
    const [page] = await askedBy(t, store, question)
    if (page?.kind !== 'list') return t.fail(question.name)
    const [plan, names] = [await store.explain(page), namesOf(question)]
    const told = `${question.name}\n${plan}`
    t.is((await store.list(page)).records.length > 0, names !== 'search', told)
    t.true(WALKING.includes(names) || names === 'unreadOnly' || names in INDEXED, told)
    t.is(fieldsIn(plan), INDEXED[names] ?? '', told)
    t.is(plan.includes('TEMP B-TREE FOR ORDER'), SORTED.includes(names), told)
    if (COUNTED.includes(names)) t.regex(plan, /_tally_\d USING PRIMARY KEY/, told)
  }
})

test('records beside a page are read by id, and sums come from tallies', async (t) => {
  const store = await opened(t)
  for (const question of agencyQuestions) {
    const asked = await askedBy(t, store, question)
    t.true(asked.length > 0, question.name)
    for (const ask of question.route.endsWith('.list') ? asked.slice(1) : asked) {
      const plan = await store.explain(ask)
      const usual = ask.kind === 'group' ? /^SEARCH \S+_tally_\d / : /SEARCH \S+ USING INDEX/m
      t.regex(plan, question.route === 'payments.report-defaulted' ? OVERDUE : usual, `${question.name}\n${plan}`)
      t.notRegex(plan, /SCAN estate|TEMP B-TREE FOR ORDER/, `${question.name}\n${plan}`)
    }
  }
})

test('the bench covers all lists and filters', (t) => {
  const offered = rows.flatMap(({ name, input }) => (name.endsWith('.list') ? [[name, input.query] as const] : []))
  t.true(offered.length > 10)
  for (const [name, query] of offered) {
    const measured = agencyQuestions.filter(({ route }) => route === name).map(namesOf)
    t.true(measured.includes(''), name)
    for (const field of Object.keys(query?.fields ?? {}))
      if (!['page', 'pageSize'].includes(field)) t.true(measured.includes(field), `${name}: ${field}`)
  }
})
