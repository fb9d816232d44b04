import { Alert, Button, CopyButton, Loading, Title } from '../../../panels/browser/elements.tsx'
import { ConfirmedButton } from '../../../panels/browser/form.tsx'
import { dayText, instantText, money } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, pageQuery } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { type Charge, StatusChip } from './charges.tsx'
import { amountText, LINK_STATUS, LinkChip, type PaymentLink, usesText } from './links.tsx'
import { Back, FilterLinks, Line, Lines, Part, Unread } from './parts.tsx'
import { may, request, requestOnce, useLive } from './session.ts'

export const LinkPage = ({ id }: { readonly id: string }) => {
  const path = `billing/payment-links/${encodeURIComponent(id)}`
  const live = useLive<{ readonly data: PaymentLink }>(path)
  if (live.data === null) return <Unread live={live} title="Link de pagamento" missing="Link não encontrado" />
  const link = live.data.data
  return (
    <>
      <header class="head">
        <div>
          <Back href="#/links">Links de pagamento</Back>
          <Title>{link.title}</Title>
        </div>
        <LinkChip link={link} />
      </header>
      <div class="columns">
        <Part title={amountText(link)}>
          {link.description && <p class="own-lines">{link.description}</p>}
          <p class="hint">
            {usesText(link)}
            {link.expires_at && ` · vale até ${dayText(link.expires_at)}`}
          </p>
          <p class="copyable">{link.public_url}</p>
          <LinkActions link={link} path={path} refresh={live.refresh} />
        </Part>
        {may('charges:read') && <LinkCharges path={path} />}
      </div>
    </>
  )
}

interface LinkActionsProps {
  readonly link: PaymentLink
  readonly path: string
  readonly refresh: () => void
}

const LinkActions = ({ link, path, refresh }: LinkActionsProps) => {
  const resume = useAction()
  const { value: status } = link.status
  const set = async (what: 'pause' | 'resume'): Promise<void> => {
    await requestOnce(`v1/payment-links/${encodeURIComponent(link.id)}/${what}`, {})
    refresh()
  }
  const end = async (): Promise<void> => {
    await request('DELETE', path)
    goTo('/links')
  }
  return (
    <>
      {status === LINK_STATUS.paused && (
        <p class="notice" role="status">
          Pausado: a página do link não aceita pagamentos.
        </p>
      )}
      <Alert text={resume.error} />
      <div class="choices">
        <CopyButton text={link.public_url} label="Copiar endereço" />
        {may('links:write') && (
          <>
            {status === LINK_STATUS.active && (
              <ConfirmedButton
                kind="quiet"
                title="Pausar este link?"
                text="A página do link deixa de aceitar pagamentos até que você o retome. As cobranças que já existem ainda podem ser pagas."
                button="Pausar link"
                perform={() => set('pause')}
              >
                Pausar
              </ConfirmedButton>
            )}
            {status === LINK_STATUS.paused && (
              <Button aria-disabled={resume.isRunning} onClick={() => resume.run(() => set('resume'))}>
                Retomar
              </Button>
            )}
            <ConfirmedButton
              title="Encerrar este link?"
              text="O endereço deixa de receber pagamentos. As cobranças dele ficam. Isto não se desfaz."
              button="Encerrar link"
              perform={end}
            >
              Encerrar
            </ConfirmedButton>
          </>
        )}
      </div>
    </>
  )
}

const LinkCharges = ({ path }: Pick<LinkActionsProps, 'path'>) => {
  const { path: at, query } = route.value
  const paidOnly = query.get('pagas') === '1'
  const { data } = useLive<ListReply<Charge>>(`${path}/${paidOnly ? 'paid-' : ''}payments?${pageQuery(20)}`)
  const address = `/${at.join('/')}`
  return (
    <section class="card part">
      <header class="head">
        <h2>Cobranças do link</h2>
        <FilterLinks
          label="Quais cobranças"
          filters={[
            { text: 'Todas', href: addressOf(address, {}), isCurrent: !paidOnly },
            { text: 'Pagas', href: addressOf(address, { pagas: '1' }), isCurrent: paidOnly },
          ]}
        />
      </header>
      {data === null && <Loading />}
      <Lines of={data?.data} none="Nenhuma ainda.">
        {(charge) => (
          <Line
            key={charge.id}
            href={`#/cobrancas/${charge.id}`}
            name={charge.client.name}
            note={instantText(charge.created_at)}
          >
            <StatusChip charge={charge} />
            <strong>{money(charge.value)}</strong>
          </Line>
        )}
      </Lines>
      {data && data.data.length > 0 && <Pages meta={data.meta} one="cobrança" many="cobranças" />}
    </section>
  )
}
