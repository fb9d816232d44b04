import { effect } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ChargePage } from './charge.tsx'
import { Charges } from './charges.tsx'
import { ChooseOrganization, Enter } from './enter.tsx'
import { Home } from './home.tsx'
import { NewCharge } from './new-charge.tsx'
import { route } from './route.ts'
import { choose, isOnline, isSignedIn, may, messageOf, organization, person, readPerson, signOut } from './session.ts'
import { Alert, Loading, Title } from './ui.tsx'

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

const viewOf = ([first, second]: readonly string[]) => {
  if (first === undefined) return <Home />
  if (first !== 'cobrancas') return <Unknown />
  if (second === undefined) return <Charges />
  return second === 'nova' ? <NewCharge /> : <ChargePage id={second} key={second} />
}

const MENU = [
  { href: '#/', name: 'Início', first: undefined, permission: null },
  { href: '#/cobrancas', name: 'Cobranças', first: 'cobrancas', permission: 'charges:read' },
] as const

const Frame = () => {
  const { path } = route.value
  const many = (person.value?.organizations.length ?? 0) > 1
  return (
    <>
      <header class="top">
        <nav aria-label="Painel">
          {MENU.filter(({ permission }) => permission === null || may(permission)).map(({ href, name, first }) => (
            <a key={href} href={href} aria-current={path[0] === first ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <p class="who">
          {organization.value?.name}
          {many && (
            <button type="button" class="quiet" onClick={() => void choose(null)}>
              Trocar
            </button>
          )}
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sair
          </button>
        </p>
      </header>
      {viewOf(path)}
    </>
  )
}

const current = (): ComponentType => {
  if (!isSignedIn()) return Enter
  if (person.value === null) return Resume
  return organization.value === null ? ChooseOrganization : Frame
}

const Panel = () => {
  const View = current()
  return (
    <>
      <p class="lost" role="status">
        {isOnline.value ? '' : 'Sem conexão com o servidor. Tentando de novo…'}
      </p>
      <View />
    </>
  )
}

const place = document.querySelector('#panel')
if (place) render(<Panel />, place)

effect(() => {
  document.title = organization.value ? `${organization.value.name} · Portico` : 'Portico'
})
