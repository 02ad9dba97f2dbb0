// Parts that are drawn again only when what they are given is another.
import { Component, Fragment, h, type ComponentChildren, type FunctionComponent } from "preact";

export { Fragment };

function differs<Props extends object>(a: Props, b: Props): boolean {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Props>;
    for (const key of keys) if (!Object.is(a[key], b[key])) return true;
    return false;
}

export function memo<Props extends object>(part: (props: Props) => ComponentChildren, isSame?: (before: Props, after: Props) => boolean): FunctionComponent<Props> {
    class Kept extends Component<Props> {
        override shouldComponentUpdate(after: Props): boolean {
            return isSame ? !isSame(this.props, after) : differs(this.props as Props, after);
        }
        override render() {
            return h(part as FunctionComponent<Props>, this.props as Props & { key?: string });
        }
    }
    return Kept as unknown as FunctionComponent<Props>;
}
