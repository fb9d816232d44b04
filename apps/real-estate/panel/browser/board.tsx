import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { may, type Permission, type Role } from '../../../../core/real-estate/real-estate-ports.ts'
import { Alert, Button, Loading, Title } from '../../../panels/browser/elements.tsx'
import type { Live } from '../../../panels/browser/live.ts'
import { useLive } from './entry.ts'
import { Figures, FiguresGhost, Funnel, Revenue } from './figures.tsx'
import { Contracts, News, Overdue, Visits } from './lists.tsx'
import { leave } from './session.ts'
import { type Connection, follow } from './stream.ts'
import { Team } from './team.tsx'
import type { Contract, Dashboard, Notification, PageOf, Payment, Profile, Visit } from './wire.ts'
import { ROLE_NAMES } from './words.ts'

/** The interval of polling: some changes, such as a payment, notify no user. */
const POLL_MS = 10_000
/** The interval at which lists are read, besides every change of the figures: some changes of a status change none. */
const LIST_POLL_MS = 60_000
/** Notifications within this time cause one read. */
const DEBOUNCE_MS = 250
/** The largest page: the panel sorts the list by another field than the API. */
const LARGEST_PAGE = 'pageSize=100'

const NO_RECORDS = { data: [], total: 0 }

/** Reads the parts of the board that a role may see. A broker sees only their own records, as in their figures. */
const useBoard = (role: Role) => {
  const dashboard = useLive<Dashboard>('api/dashboard', POLL_MS)
  const { data, error, refresh } = dashboard
  const today = data && dayOf(data.generatedAt)
  const brokerId = role === 'Broker' ? data?.brokers[0]?.id : undefined
  const own = brokerId === undefined ? '' : `&brokerId=${brokerId}`
  const hasRecords = role !== 'Broker' || brokerId !== undefined
  const useList = <R,>(permission: Permission, path: string): Live<PageOf<R>> | null => {
    const list = useLive<PageOf<R>>(today && hasRecords && may(role, permission) ? path : null, LIST_POLL_MS)
    if (!may(role, permission)) return null
    if (today === null) return { ...list, error, refresh }
    return hasRecords ? list : { ...list, data: NO_RECORDS }
  }
  return {
    today: today ?? '',
    dashboard,
    visits: useList<Visit>('visits:read', `api/visits?dateFrom=${today}&dateTo=${today}&${LARGEST_PAGE}${own}`),
    overdue: useList<Payment>('payments:report', `api/payments?status=Defaulted&${LARGEST_PAGE}`),
    contracts: useList<Contract>('contracts:read', `api/contracts?expiringDays=30&${LARGEST_PAGE}${own}`),
    news: useList<Notification>('notifications:read', 'api/notifications?pageSize=6'),
  }
}

type BoardData = ReturnType<typeof useBoard>
type ListName = Exclude<keyof BoardData, 'today' | 'dashboard'>

const LIST_NAMES: readonly ListName[] = ['visits', 'overdue', 'contracts', 'news']

/** The lists that a type of notification changes, besides the figures. */
const LISTS_BY_TYPE: Readonly<Record<string, readonly ListName[]>> = {
  ContractExpiry: ['contracts'],
  PaymentDefault: ['overdue'],
  VisitConfirmed: ['visits'],
}

/** Follows the notifications of the user, and reads again the parts that they change. */
const useStream = (board: BoardData) => {
  const [connection, setConnection] = useState<Connection>('waits')
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef(board)
  latest.current = board
  const refresh = (names: Iterable<ListName>): void => {
    for (const name of names) latest.current[name]?.refresh()
  }
  useEffect(() => {
    const controller = new AbortController()
    const pending = new Set<ListName>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refreshSoon = (names: readonly ListName[]): void => {
      for (const name of names) pending.add(name)
      clearTimeout(timer)
      timer = setTimeout(() => {
        latest.current.dashboard.refresh()
        refresh(pending)
        pending.clear()
      }, DEBOUNCE_MS)
    }
    void follow({
      signal: controller.signal,
      onChange: setConnection,
      onOpen: () => refreshSoon(LIST_NAMES),
      onEvent({ event, data }) {
        if (event !== 'notification') return
        const { type, title, message } = JSON.parse(data) as Notification
        setAnnouncement(`${title}: ${message}`)
        refreshSoon(['news', ...(LISTS_BY_TYPE[type] ?? [])])
      },
    })
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [])
  const { data } = board.dashboard
  const figures = data && JSON.stringify({ ...data, generatedAt: board.today })
  const last = useRef<string | null>(null)
  useEffect(() => {
    if (last.current !== null) refresh(LIST_NAMES)
    last.current = figures
  }, [figures])
  return { connection, announcement }
}

type State = Pick<Live<unknown>, 'data' | 'error' | 'refresh'>

const isLoading = ({ data, error }: State): boolean => data === null && error === null

interface PartProps {
  readonly name: string
  readonly title: string
  readonly state: State
  /** True while the part waits for others, so that they appear together. */
  readonly waits?: boolean
  readonly children: ComponentChildren
}

const Part = ({ name, title, state, waits = false, children }: PartProps) => {
  const isBusy = waits || isLoading(state)
  return (
    <section class="card part" data-part={name} aria-busy={isBusy || undefined}>
      <h2>{title}</h2>
      <Content isBusy={isBusy} state={state}>
        {children}
      </Content>
    </section>
  )
}

interface ContentProps {
  readonly isBusy: boolean
  readonly state: State
  readonly children: ComponentChildren
}

/** The content of a part, or the reason why it is missing. A part that was read once stays. */
const Content = ({ isBusy, state, children }: ContentProps) => {
  if (isBusy) return <Loading />
  if (state.data !== null) return <div class="content">{children}</div>
  return (
    <div class="content">
      <Alert text="Não foi possível carregar." />
      <Button onClick={state.refresh}>Tentar de novo</Button>
    </div>
  )
}

interface ListsProps {
  readonly board: BoardData
  readonly children: ComponentChildren
}

/** The lists, and the parts that follow them. */
const Lists = ({ board, children }: ListsProps) => {
  const { today, visits, overdue, contracts, news } = board
  // The lists appear together, so that none moves another.
  const waits = LIST_NAMES.some((name) => board[name] && isLoading(board[name]))
  const part = (name: ListName, title: string, content: ComponentChildren) => {
    const state = board[name]
    return (
      state && (
        <Part key={`${name} ${waits}`} name={name} title={title} state={state} waits={waits}>
          {content}
        </Part>
      )
    )
  }
  return (
    <>
      {part('visits', 'Visitas de hoje', visits?.data && <Visits page={visits.data} />)}
      {part('overdue', 'Pagamentos em atraso', overdue?.data && <Overdue page={overdue.data} today={today} />)}
      {part(
        'contracts',
        'Contratos que terminam em 30 dias',
        contracts?.data && <Contracts page={contracts.data} today={today} />,
      )}
      {part('news', 'Novidades', news?.data && <News page={news.data} today={today} />)}
      {!waits && children}
    </>
  )
}

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  waits: 'Conectando…',
  live: 'Ao vivo',
  lost: 'Sem conexão',
}

const firmOf = ({ company }: Profile): string => company.legalName ?? 'Sua imobiliária'

const Head = ({ profile, connection }: { readonly profile: Profile; readonly connection: Connection }) => (
  <header class="top">
    <div class="whose">
      <Title>{firmOf(profile)}</Title>
      <p class="hint" id="who">
        {profile.name} · {ROLE_NAMES[profile.role]}
      </p>
    </div>
    <p class="live" id="live" data-state={connection}>
      {CONNECTION_WORDS[connection]}
    </p>
    <Button onClick={() => leave()}>Sair</Button>
  </header>
)

/** The figures and lists of an agency, kept up to date. */
export const Board = ({ profile }: { readonly profile: Profile }) => {
  const { role } = profile
  const seesMoney = may(role, 'payments:report')
  const board = useBoard(role)
  const { connection, announcement } = useStream(board)
  const { dashboard } = board
  const { data } = dashboard
  const lists = LIST_NAMES.filter((name) => board[name] !== null).length
  useEffect(() => {
    document.title = `${firmOf(profile)}: painel`
    return () => {
      document.title = 'Painel da imobiliária'
    }
  }, [profile])
  return (
    <>
      <Head profile={profile} connection={connection} />
      <p id="announcement" class="unseen" role="status">
        {announcement}
      </p>
      <div class="board" data-money={seesMoney} data-lists={lists}>
        <section
          class="figures"
          data-part="figures"
          aria-label="Números de agora"
          aria-busy={isLoading(dashboard) || undefined}
        >
          {isLoading(dashboard) ? (
            <FiguresGhost seesMoney={seesMoney} />
          ) : (
            <Content isBusy={false} state={dashboard}>
              {data && <Figures dashboard={data} seesMoney={seesMoney} />}
            </Content>
          )}
        </section>
        {seesMoney && (
          <Part name="revenue" title="Receita por mês" state={dashboard}>
            {data && <Revenue months={data.revenueByMonth} />}
          </Part>
        )}
        <Part name="funnel" title="Propostas" state={dashboard}>
          {data && <Funnel proposals={data.proposals} />}
        </Part>
        <Lists board={board}>{may(role, 'invitations:write') && <Team />}</Lists>
      </div>
    </>
  )
}
