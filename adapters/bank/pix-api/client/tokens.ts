import type { Exchange, Exchanged } from './exchange.ts'
import { jsonOf } from './json.ts'
import type { PixApiSettings } from './settings.ts'

/** All that is asked of the bank. */
const SCOPES = 'cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read'
/** How long a token is good whose bank does not say. */
const USUAL_SECONDS = 300
/** A token is replaced so long before its end, that none runs out on its way. */
const MARGIN_SECONDS = 30

interface Token {
  readonly text: string
  readonly goodUntilMs: number
}

/** The tokens of one client of the bank. */
export interface PixApiTokens {
  /** One that is good, asked for once whoever waits for it; null where the bank gives none now. */
  current(): Promise<string | null>
  /** The bank does not take it: the next one is asked for anew. */
  forget(refused: string): void
}

/** OAuth2, client credentials. Nothing of the bank is asked without a token, so whatever keeps it from us is `unavailable`. */
export const pixApiTokens = (exchange: Exchange, settings: PixApiSettings): PixApiTokens => {
  let kept: Token | null = null
  let asked: Promise<Token | null> | null = null
  const ask = async (): Promise<Token | null> => {
    kept = tokenIn(await exchange(tokenRequest(settings)), performance.now())
    asked = null
    return kept
  }
  return {
    async current() {
      if (kept !== null && performance.now() < kept.goodUntilMs) return kept.text
      asked ??= ask()
      return (await asked)?.text ?? null
    },
    forget(refused) {
      // Another request has replaced it already.
      if (kept?.text === refused) kept = null
    },
  }
}

const tokenRequest = ({ tokenUrl: url, clientId, clientSecret }: PixApiSettings) =>
  ({
    method: 'POST',
    url,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES }).toString(),
  }) as const

const SENDABLE = /^[\x21-\x7e]+$/

const tokenIn = (answer: Exchanged, nowMs: number): Token | null => {
  if (typeof answer === 'string' || answer.status !== 200) return null
  const { access_token: text, expires_in: seconds } = jsonOf(answer.text)
  if (typeof text !== 'string' || !SENDABLE.test(text)) return null
  const lasts = Number.isFinite(Number(seconds)) && Number(seconds) > 0 ? Number(seconds) : USUAL_SECONDS
  return { text, goodUntilMs: nowMs + Math.max(lasts / 2, lasts - MARGIN_SECONDS) * 1_000 }
}
