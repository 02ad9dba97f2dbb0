// What of the map is seen. Moving about changes one attribute of the picture
// and draws nothing anew; only when it rests are sizes and names laid out again.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fitted, held, zoomed, type Box, type Frame, type Spot } from "../pure/geometry.ts";

const SETTLED_AFTER = 120;

export type Sight = {
    readonly svg: { current: SVGSVGElement | null };
    readonly scale: { current: HTMLElement | null };
    /** Millimetres of the table to a pixel, when it last rested. */
    readonly perPixel: number;
    spotAt(event: { clientX: number; clientY: number }): Spot;
    perPixelNow(): number;
    pan(dx: number, dy: number): void;
    zoom(factor: number, about?: Spot): void;
    fit(): void;
    reveal(spot: Spot): void;
};

export function useSight(frame: Frame, unit: number, lengthText: (length: number) => string): Sight {
    const svg = useRef<SVGSVGElement | null>(null);
    const scale = useRef<HTMLElement | null>(null);
    const box = useRef<Box>({ x: 0, y: 0, w: 1, h: 1 });
    const [perPixel, settle] = useState(1);
    const timer = useRef(0);
    const isMoved = useRef(false);

    const sight = useMemo(() => {
        let frameAsked = 0;
        const size = () => svg.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
        const now = () => box.current.w / Math.max(1, size().width);
        const draw = () => {
            frameAsked = 0;
            const { x, y, w, h } = box.current;
            svg.current?.setAttribute("viewBox", `${x.toFixed(2)} ${y.toFixed(2)} ${w.toFixed(2)} ${h.toFixed(2)}`);
            drawScale(scale.current, now(), unit, roundLengths(frame, unit), lengthText);
        };
        const put = (next: Box) => {
            box.current = next;
            if (frameAsked === 0) frameAsked = requestAnimationFrame(draw);
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => settle(now()), SETTLED_AFTER);
        };
        const fit = () => {
            const { width, height } = size();
            isMoved.current = false;
            put(fitted(frame.bounds, width, height, Math.max(frame.bounds.w, frame.bounds.h) * 0.035));
            settle(now());
        };
        return {
            svg,
            scale,
            perPixelNow: now,
            spotAt: (event: { clientX: number; clientY: number }) => {
                const { left, top } = size();
                return { x: box.current.x + (event.clientX - left) * now(), y: box.current.y + (event.clientY - top) * now() };
            },
            pan: (dx: number, dy: number) => {
                isMoved.current = true;
                put(held({ ...box.current, x: box.current.x - dx * now(), y: box.current.y - dy * now() }, frame.bounds));
            },
            zoom: (factor: number, about?: Spot) => {
                isMoved.current = true;
                const { x, y, w, h } = box.current;
                put(zoomed(box.current, factor, about ?? { x: x + w / 2, y: y + h / 2 }, frame.bounds));
            },
            fit,
            reveal: (spot: Spot) => {
                const { x, y, w, h } = box.current;
                const isSeen = spot.x > x + w * 0.06 && spot.x < x + w * 0.94 && spot.y > y + h * 0.06 && spot.y < y + h * 0.94;
                if (!isSeen) put(held({ ...box.current, x: spot.x - w / 2, y: spot.y - h / 2 }, frame.bounds));
            },
            resized: () => {
                if (!isMoved.current) return fit();
                const { width, height } = size();
                put({ ...box.current, h: (box.current.w * height) / Math.max(1, width) });
            },
        };
    }, [frame, unit, lengthText]);

    useEffect(() => {
        sight.fit();
        if (!svg.current) return;
        const observer = new ResizeObserver(() => sight.resized());
        observer.observe(svg.current);
        return () => observer.disconnect();
    }, [sight]);

    return { ...sight, perPixel };
}

/** Round lengths: parts and multiples of a foot, or of ten centimetres. */
const FEET = [0.5, 1, 2, 3, 6, 12, 24, 48, 96];
const METRES = [0.5, 1, 2, 5, 10, 20, 50, 100, 200];

/** The lengths that a scale may have: on a map of hexes whole ones. */
function roundLengths(frame: Frame, unit: number): readonly number[] {
    const lengths = unit === 10 ? METRES : FEET;
    return frame.isHex ? lengths.filter((n) => n >= 1) : lengths;
}

/** A bar as long as a round length of the table. */
function drawScale(bar: HTMLElement | null, perPixel: number, unit: number, lengths: readonly number[], lengthText: (length: number) => string): void {
    if (!bar) return;
    const wanted = 110 * perPixel;
    const best = lengths.map((n) => n * unit).reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a));
    bar.style.width = `${(best / perPixel).toFixed(1)}px`;
    if (bar.firstElementChild) bar.firstElementChild.textContent = lengthText(best);
}
