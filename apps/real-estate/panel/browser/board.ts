import { dayOf } from '../../../../core/kernel/values/day.ts'
import { may, type Permission, type Role } from '../../../../core/real-estate/real-estate-ports.ts'
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
import { element, isDrawn, put, reveal } from './page.ts'
import { ApiProblem, type Session, SignedOut } from './session.ts'
import type { Contract, Dashboard, Notification, PageOf, Payment, Visit } from './wire.ts'

/** The scope of the lists: the day in São Paulo, and for a broker their id, or null if they have no record. */
interface Scope {
  readonly today: string
  readonly brokerId?: string | null
}

type Reader = Pick<Session, 'read'>

/** A part of the board with a request of its own. */
interface List {
  readonly permission: Permission
  read(from: Reader, scope: Scope): Promise<Html>
}

/** The largest page: the panel sorts the list by another field than the API. */
const LARGEST_PAGE = 'pageSize=100'

const list = <R>(
  permission: Permission,
  pathOn: (today: string) => string,
  draw: (page: PageOf<R>, today: string) => Html,
): List => ({
  permission,
  read: async (from, { today }) => draw(await from.read<PageOf<R>>(pathOn(today)), today),
})

/** A list of which a broker sees only their own records, as in their figures. */
const ownList = <R>(...[permission, pathOn, draw]: Parameters<typeof list<R>>): List => ({
  permission,
  async read(from, { today, brokerId }) {
    if (brokerId === null) return draw({ data: [], total: 0 }, today)
    const own = brokerId === undefined ? '' : `&brokerId=${brokerId}`
    return draw(await from.read<PageOf<R>>(pathOn(today) + own), today)
  },
})

const lists = {
  contracts: ownList<Contract>('contracts:read', () => `api/contracts?expiringDays=30&${LARGEST_PAGE}`, contractList),
  overdue: list<Payment>('payments:report', () => `api/payments?status=Defaulted&${LARGEST_PAGE}`, overdueList),
  visits: ownList<Visit>(
    'visits:read',
    (today) => `api/visits?dateFrom=${today}&dateTo=${today}&${LARGEST_PAGE}`,
    visitList,
  ),
  news: list<Notification>('notifications:read', () => 'api/notifications?pageSize=6', newsList),
} as const satisfies Readonly<Record<string, List>>

export type ListName = keyof typeof lists
export const LIST_NAMES = Object.keys(lists) as readonly ListName[]

/** The parts that show the dashboard. */
const DASHBOARD_PARTS = ['figures', 'revenue', 'funnel'] as const

const drawDashboard = (dashboard: Dashboard, seesMoney: boolean): void => {
  put('figures', figures(dashboard, seesMoney))
  put('funnel', funnel(dashboard))
  if (seesMoney && put('revenue', revenue(dashboard))) {
    drawRevenue(document.querySelector<HTMLCanvasElement>('[data-part="revenue"] canvas'), dashboard.revenueByMonth)
  }
}

/** Marks parts as failed. A part that already shows something keeps it. */
const fail = (names: readonly string[]): void => {
  for (const name of names) if (!isDrawn(name)) put(name, failed)
}

/** Reports whether an error ends the board: the user signed out, or lost the permission. */
const isOver = (error: unknown): boolean =>
  error instanceof SignedOut || (error instanceof ApiProblem && error.status === 403)

/** Shows the parts that a role may see, and hides the others. */
const arrange = (role: Role, visible: readonly ListName[]): void => {
  for (const name of LIST_NAMES) reveal(name, visible.includes(name))
  const seesMoney = may(role, 'payments:report')
  reveal('revenue', seesMoney)
  Object.assign(element('.board').dataset, { money: `${seesMoney}`, lists: `${visible.length}` })
}

/** Returns the board of the signed-in user, with the parts that their role may see. After the signal it draws nothing. */
export const boardOf = (session: Session, role: Role, signal: AbortSignal) => {
  const from: Reader = { read: (path) => session.read(path, { signal }) }
  const seesMoney = may(role, 'payments:report')
  const visible = LIST_NAMES.filter((name) => may(role, lists[name].permission))
  arrange(role, visible)
  let lastDashboard = ''
  let scope: Scope | null = null

  /** Draws the dashboard. Returns whether it changed; false if it cannot be read. */
  const readDashboard = async (): Promise<boolean> => {
    try {
      const dashboard = await from.read<Dashboard>('api/dashboard')
      signal.throwIfAborted()
      const { generatedAt, ...shown } = dashboard
      const today = dayOf(generatedAt)
      const text = JSON.stringify({ ...shown, today })
      const isChanged = text !== lastDashboard
      lastDashboard = text
      scope = role === 'Broker' ? { today, brokerId: dashboard.brokers[0]?.id ?? null } : { today }
      drawDashboard(dashboard, seesMoney)
      return isChanged
    } catch (error) {
      if (signal.aborted || isOver(error)) throw error
      fail(DASHBOARD_PARTS)
      return false
    }
  }
  const readList = async (name: ListName): Promise<void> => {
    try {
      if (scope === null) return fail([name])
      const read = await lists[name].read(from, scope)
      signal.throwIfAborted()
      put(name, read)
    } catch (error) {
      if (signal.aborted || isOver(error)) throw error
      fail([name])
    }
  }
  const readLists = async (names: readonly ListName[]): Promise<void> => {
    await Promise.all(visible.filter((name) => names.includes(name)).map(readList))
  }
  return {
    /**
     * Draws the dashboard and the lists with these names, or all lists if the dashboard changed. Rejects with `SignedOut`, with an
     * `ApiProblem` of 403, and after the signal.
     */
    async renew(names: readonly ListName[]): Promise<void> {
      const isChanged = await readDashboard()
      await readLists(isChanged ? LIST_NAMES : names)
    },
  }
}

export type Board = ReturnType<typeof boardOf>
