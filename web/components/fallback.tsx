import { Component } from 'react'
import type { ReactNode } from 'react'

interface FallbackProps {
  readonly shown: ReactNode
  readonly children: ReactNode
}

/** Shows something plainer where what stands in it cannot be loaded or drawn. */
export class Fallback extends Component<FallbackProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.shown : this.props.children
  }
}
