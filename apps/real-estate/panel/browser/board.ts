import { dayOf } from '../../../../core/kernel/values/day.ts'
import { may, type Permission, type Role } from '../../../../core/real-estate/actor.ts'
import type { Html } from '../../../http/pages/html.ts'
import {
  contractList,
  drawRevenue,
  failed,
  figures,
  funnel,
  newsList,
  overdueList,
  revenue,
  visitList,
} from './draw.ts'
import { element, isDrawn, offer, put } from './page.ts'
import { ApiProblem, type Session, SignedOut } from './session.ts'
import type { Contract, Dashboard, Notification, PageOf, Payment, Visit } from './wire.ts'

/** What lists are read by: the day in São Paulo, and of a broker whose they are; null for one without a record. */
interface Sight {
  readonly today: string
  readonly brokerId?: string | null
}

type Reader = Pick<Session, 'read'>

/** A part of the board that is read for itself. */
interface List {
  readonly permission: Permission
  read(from: Reader, sight: Sight): Promise<Html>
}

/** As many as the API gives at once: what is first is not always what is newest. */
const MOST = 'pageSize=100'

const list = <R>(
  permission: Permission,
  pathOn: (today: string) => string,
  draw: (page: PageOf<R>, today: string) => Html,
): List => ({
  permission,
  read: async (from, { today }) => draw(await from.read<PageOf<R>>(pathOn(today)), today),
})

/** Of a broker what is their own, as their figures are. */
const ownList = <R>(...[permission, pathOn, draw]: Parameters<typeof list<R>>): List => ({
  permission,
  async read(from, { today, brokerId }) {
    if (brokerId === null) return draw({ data: [], total: 0 }, today)
    const own = brokerId === undefined ? '' : `&brokerId=${brokerId}`
    return draw(await from.read<PageOf<R>>(pathOn(today) + own), today)
  },
})

const lists = {
  contracts: ownList<Contract>('contracts:read', () => `api/contracts?expiringDays=30&${MOST}`, contractList),
  overdue: list<Payment>('payments:report', () => `api/payments?status=Defaulted&${MOST}`, overdueList),
  visits: ownList<Visit>('visits:read', (today) => `api/visits?dateFrom=${today}&dateTo=${today}&${MOST}`, visitList),
  news: list<Notification>('notifications:read', () => 'api/notifications?pageSize=6', newsList),
} as const satisfies Readonly<Record<string, List>>

export type ListName = keyof typeof lists
export const LIST_NAMES = Object.keys(lists) as readonly ListName[]

/** The parts that show the dashboard itself. */
const DASHBOARD_PARTS = ['figures', 'revenue', 'funnel'] as const

const drawDashboard = (dashboard: Dashboard, seesMoney: boolean): void => {
  put('figures', figures(dashboard, seesMoney))
  put('funnel', funnel(dashboard))
  if (seesMoney && put('revenue', revenue(dashboard))) {
    drawRevenue(document.querySelector<HTMLCanvasElement>('[data-part="revenue"] canvas'), dashboard.revenueByMonth)
  }
}

/** What is shown stays: it was true a moment ago. Where there is nothing yet, it says that it could not be read. */
const fail = (names: readonly string[]): void => {
  for (const name of names) if (!isDrawn(name)) put(name, failed)
}

/** Whoever may see it no more is told so, whatever else fails. */
const isOver = (error: unknown): boolean =>
  error instanceof SignedOut || (error instanceof ApiProblem && error.status === 403)

/** Shows a role what it sees, and nothing else. */
const arrange = (role: Role, offered: readonly ListName[]): void => {
  for (const name of LIST_NAMES) offer(name, offered.includes(name))
  const seesMoney = may(role, 'payments:report')
  offer('revenue', seesMoney)
  Object.assign(element('.board').dataset, { money: `${seesMoney}`, lists: `${offered.length}` })
}

/** The board of who is signed in, as far as their role sees it; after the signal nothing is drawn any more. */
export const boardOf = (session: Session, role: Role, signal: AbortSignal) => {
  const from: Reader = { read: (path) => session.read(path, { signal }) }
  const seesMoney = may(role, 'payments:report')
  const offered = LIST_NAMES.filter((name) => may(role, lists[name].permission))
  arrange(role, offered)
  let last = ''
  let sight: Sight | null = null

  /** Reads the dashboard; gives whether anything in it is another, or null where it cannot be read. */
  const readDashboard = async (): Promise<boolean | null> => {
    try {
      const dashboard = await from.read<Dashboard>('api/dashboard')
      signal.throwIfAborted()
      const { generatedAt, ...told } = dashboard
      const today = dayOf(generatedAt)
      const text = JSON.stringify({ ...told, today })
      const isOther = text !== last
      last = text
      sight = role === 'Broker' ? { today, brokerId: dashboard.brokers[0]?.id ?? null } : { today }
      drawDashboard(dashboard, seesMoney)
      return isOther
    } catch (error) {
      if (signal.aborted || isOver(error)) throw error
      fail(DASHBOARD_PARTS)
      return null
    }
  }
  const readList = async (name: ListName): Promise<void> => {
    try {
      if (sight === null) return fail([name])
      const read = await lists[name].read(from, sight)
      signal.throwIfAborted()
      put(name, read)
    } catch (error) {
      if (signal.aborted || isOver(error)) throw error
      fail([name])
    }
  }
  const readLists = async (names: readonly ListName[]): Promise<void> => {
    await Promise.all(offered.filter((name) => names.includes(name)).map(readList))
  }
  return {
    /** Reads the dashboard, and lists: these, and all where the dashboard is another. Rejects with `SignedOut`, with an `ApiProblem` of 403, and after the signal. */
    async renew(names: readonly ListName[]): Promise<void> {
      const isOther = await readDashboard()
      await readLists(isOther ? LIST_NAMES : names)
    },
  }
}

export type Board = ReturnType<typeof boardOf>
