import { useState } from 'preact/hooks'
import { Alert, Loading } from '../../../../panels/browser/elements.tsx'
import { Confirm } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText } from '../../../../panels/browser/format.ts'
import { request, SLOW_MS, useLive } from '../session.ts'

interface TrustedDevice {
  readonly id: string
  readonly device: string | null
  readonly address: string
  readonly last_used_at: string
  readonly expires_at: string
}

interface DevicesReply {
  readonly trusted_devices: readonly TrustedDevice[]
}

/** The devices on which the sign-in asks for no second factor. */
export const TrustedDevices = () => {
  const { data, error, refresh } = useLive<DevicesReply>('v1/trusted-devices', SLOW_MS)
  const [removing, setRemoving] = useState<TrustedDevice | null>(null)
  const remove = async (): Promise<void> => {
    if (removing) await request('DELETE', `v1/trusted-devices/${removing.id}`)
    setRemoving(null)
    refresh()
  }
  return (
    <section class="card part">
      <h2>Dispositivos confiáveis</h2>
      <p class="hint">Neles o login pede só a senha, por 30 dias.</p>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={1} />}
      {data?.trusted_devices.length === 0 && <p class="none">Nenhum. Marque a opção quando o login pedir o código.</p>}
      <ul class="lines">
        {data?.trusted_devices.map((device) => (
          <li key={device.id}>
            <span>
              <span title={device.device ?? undefined}>{deviceText(device.device)}</span>
              <small>
                {device.address} · usado em {instantText(device.last_used_at)} · até {instantText(device.expires_at)}
              </small>
            </span>
            <button
              type="button"
              class="quiet wrong"
              aria-label={`Remover ${deviceText(device.device)}, de ${instantText(device.last_used_at)}`}
              onClick={() => setRemoving(device)}
            >
              Remover
            </button>
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={`Remover ${deviceText(removing.device)}?`}
          text="O próximo login nele volta a pedir o segundo fator. As sessões abertas continuam."
          button="Remover dispositivo"
          onClose={() => setRemoving(null)}
          perform={remove}
        />
      )}
    </section>
  )
}
