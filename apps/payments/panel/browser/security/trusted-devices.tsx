import { ConfirmedButton } from '../../../../panels/browser/form.tsx'
import { deviceText, instantText } from '../../../../panels/browser/format.ts'
import { Line, Lines, Part } from '../parts.tsx'
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
  const live = useLive<DevicesReply>('v1/trusted-devices', SLOW_MS)
  const remove = async (id: string): Promise<void> => {
    await request('DELETE', `v1/trusted-devices/${id}`)
    live.refresh()
  }
  return (
    <Part title="Dispositivos confiáveis" hint="Neles o login pede só a senha, por 30 dias." live={live} lines={1}>
      <Lines of={live.data?.trusted_devices} none="Nenhum. Marque a opção quando o login pedir o código.">
        {(device) => (
          <Line
            key={device.id}
            name={<span title={device.device ?? undefined}>{deviceText(device.device)}</span>}
            note={`${device.address} · usado em ${instantText(device.last_used_at)} · até ${instantText(device.expires_at)}`}
          >
            <ConfirmedButton
              label={`Remover ${deviceText(device.device)}, de ${instantText(device.last_used_at)}`}
              title={`Remover ${deviceText(device.device)}?`}
              text="O próximo login nele volta a pedir o segundo fator. As sessões abertas continuam."
              button="Remover dispositivo"
              perform={() => remove(device.id)}
            >
              Remover
            </ConfirmedButton>
          </Line>
        )}
      </Lines>
    </Part>
  )
}
