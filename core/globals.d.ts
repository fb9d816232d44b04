// The three web globals that every runtime has and the core may use.
declare class TextEncoder {
  encode(text?: string): Uint8Array
}
declare class TextDecoder {
  decode(bytes?: Uint8Array): string
}
declare class URL {
  constructor(url: string, base?: string)
  readonly href: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly username: string
  readonly password: string
  readonly pathname: string
  search: string
  hash: string
  readonly searchParams: { get(name: string): string | null; set(name: string, value: string): void }
}
