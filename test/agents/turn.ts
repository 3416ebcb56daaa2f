/** What the model does when it is asked next. */
export type Turn =
  | ({ readonly kind: 'say'; readonly text: string } & Used)
  /** A tool, and what it says before. */
  | ({ readonly kind: 'use'; readonly says?: string; readonly tool: string; readonly input: object } & Used)
  | Refusal
  /** Nothing, until the client goes away. */
  | { readonly kind: 'hang' }
  /** Bytes that are no answer. */
  | { readonly kind: 'garbage'; readonly text: string }
  /** The first half of an answer, then the connection is gone. */
  | { readonly kind: 'cut'; readonly text: string }
  /** The first half of an answer, then nothing, until the client goes away. */
  | { readonly kind: 'stall'; readonly text: string }

/** What an answer has used; absent: 100 tokens read, 20 written. */
interface Used {
  readonly tokens?: { readonly input: number; readonly output: number }
}

/** A turn, or what makes it at the time when the model is asked. */
export type Script = Turn | (() => Turn)

/** The provider refuses, in its own words. */
export interface Refusal {
  readonly kind: 'fail'
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
  /** What happens in the world just before. */
  readonly meanwhile?: () => unknown
}

/** What a wire format is written to. */
export interface Answer {
  write(chunk: string): boolean
  end(chunk?: string): void
}
