import { effect } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isOnline, isStale, messageOf } from '../../../panels/browser/connection.ts'
import { Alert, Button, keepFocus, Loading, Title } from '../../../panels/browser/elements.tsx'
import { route } from '../../../panels/browser/route.ts'
import { CardSales } from './card-sales.tsx'
import { ChargePage } from './charge.tsx'
import { Charges } from './charges.tsx'
import { ClientPage, Clients, NewClient } from './clients/clients.tsx'
import { Developers } from './developers/developers.tsx'
import { ChooseOrganization, Enter } from './enter.tsx'
import { Home } from './home.tsx'
import { LinkPage } from './link.tsx'
import { Links, NewLink } from './links.tsx'
import { NewTransfer, WithdrawalPage } from './money-out.tsx'
import { NewCharge } from './new-charge.tsx'
import { CodeDialog, PasswordDialog } from './security/confirmations.tsx'
import { SetUpDialog } from './security/set-up.tsx'
import {
  choose,
  isFactorMissing,
  isSignedIn,
  may,
  organization,
  person,
  readPerson,
  setUpFactor,
  signOut,
  useAccess,
} from './session.ts'
import { Settings } from './settings/settings.tsx'
import { StatementPage } from './statement.tsx'
import { NewWithdrawal, Withdrawals } from './withdrawals.tsx'

/** Reads the user of a session that outlived a reload. */
const Resume = () => {
  const [error, setError] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    readPerson().catch((failure: unknown) => setError(messageOf(failure)))
  }, [tries])
  if (error === null) return <Loading />
  return (
    <section class="card narrow">
      <Alert text={error} />
      <button
        type="button"
        onClick={() => {
          setError(null)
          setTries(tries + 1)
        }}
      >
        Tentar de novo
      </button>
    </section>
  )
}

const Unknown = () => (
  <>
    <Title>Página não encontrada</Title>
    <p>
      <a href="#/">Ir ao início</a>
    </p>
  </>
)

interface Views {
  readonly list: ComponentType
  /** The permission that the list and its records need. */
  readonly reads?: string
  readonly make?: ComponentType
  /** The permission that the new record needs. */
  readonly writes?: string
  readonly record?: ComponentType<{ readonly id: string }>
}

const NEW = { masculine: 'novo', feminine: 'nova' }

/** The views by the first word of their address. */
const VIEWS: ReadonlyMap<string, Views> = new Map(
  Object.entries<Views>({
    '': { list: Home },
    cobrancas: { list: Charges, reads: 'charges:read', make: NewCharge, writes: 'charges:write', record: ChargePage },
    links: { list: Links, reads: 'links:read', make: NewLink, writes: 'links:write', record: LinkPage },
    clientes: { list: Clients, reads: 'clients:read', make: NewClient, writes: 'clients:write', record: ClientPage },
    extrato: { list: StatementPage, reads: 'statements:read' },
    saques: {
      list: Withdrawals,
      reads: 'withdrawals:read',
      make: NewWithdrawal,
      writes: 'withdrawals:write',
      record: WithdrawalPage,
    },
    transferencias: { list: NewTransfer, reads: 'withdrawals:write' },
    cartao: { list: CardSales, reads: 'statements:read' },
    desenvolvedores: { list: Developers, reads: 'charges:read' },
    configuracoes: { list: Settings },
  }),
)

const isOffered = (view: Views | undefined): view is Views => view !== undefined && (!view.reads || may(view.reads))

const viewOf = ([first, second]: readonly string[]) => {
  const view = VIEWS.get(first ?? '')
  if (!isOffered(view)) return <Unknown />
  const { list: List, make: Make, record: Record } = view
  if (second === undefined) return <List />
  if (second === NEW.masculine || second === NEW.feminine)
    return Make && may(view.writes ?? '') ? <Make /> : <Unknown />
  return Record ? <Record id={second} key={second} /> : <Unknown />
}

const MENU = [
  { href: '#/', name: 'Início', first: undefined },
  { href: '#/cobrancas', name: 'Cobranças', first: 'cobrancas' },
  { href: '#/links', name: 'Links', first: 'links' },
  { href: '#/clientes', name: 'Clientes', first: 'clientes' },
  { href: '#/extrato', name: 'Extrato', first: 'extrato' },
  { href: '#/saques', name: 'Saques', first: 'saques' },
  { href: '#/desenvolvedores', name: 'Desenvolvedores', first: 'desenvolvedores' },
  { href: '#/configuracoes', name: 'Configurações', first: 'configuracoes' },
] as const

const Frame = () => {
  useAccess()
  const { path } = route.value
  const many = (person.value?.organizations.length ?? 0) > 1
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route.value])
  return (
    <>
      <header class="top">
        <Button kind="quiet menu" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
          Menu
        </Button>
        <nav id="menu" class={isOpen ? 'open' : ''} aria-label="Painel">
          {MENU.filter(({ first }) => isOffered(VIEWS.get(first ?? ''))).map(({ href, name, first }) => (
            <a key={href} href={href} aria-current={path[0] === first ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <p class="who">
          {organization.value?.name}
          {many && <Button onClick={() => void choose(null)}>Trocar</Button>}
          <Button onClick={() => void signOut()}>Sair</Button>
        </p>
      </header>
      {isFactorMissing.value && (
        <p class="notice line">
          Esta organização exige o segundo fator de todos os membros.
          <Button onClick={() => void setUpFactor()}>Ativar o seu</Button>
        </p>
      )}
      {viewOf(path)}
    </>
  )
}

const current = (): ComponentType => {
  if (!isSignedIn()) return Enter
  if (person.value === null) return Resume
  return organization.value === null ? ChooseOrganization : Frame
}

const statusOf = (online: boolean, stale: boolean): string => {
  if (!online) return 'Sem conexão com o servidor. Tentando de novo…'
  return stale ? 'Não foi possível atualizar. Tentando de novo…' : ''
}

const Panel = () => {
  const View = current()
  return (
    <>
      <p class="lost" role="status">
        {statusOf(isOnline.value, isStale.value)}
      </p>
      <View />
      <PasswordDialog />
      <CodeDialog />
      <SetUpDialog />
    </>
  )
}

const place = document.querySelector<HTMLElement>('#panel')
if (place) {
  render(<Panel />, place)
  keepFocus(place)
}

effect(() => {
  document.title = organization.value ? `${organization.value.name} · Portico` : 'Portico'
})
