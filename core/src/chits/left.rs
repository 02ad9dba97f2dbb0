//! What is left in a pot while chits are drawn.

/// How many chits of each class are left while some are drawn, with sums over stretches of classes (a Fenwick
/// tree): so a draw takes few steps, of however many sorts the pot is.
pub(super) struct ChitsLeft {
    pub of_each: Vec<u32>,
    /// At each place the sum of as many classes up to it as the lowest bit of the place says; the first is idle.
    sums: Vec<u32>,
    pub total: u32,
}

impl ChitsLeft {
    pub fn of(of_each: Vec<u32>) -> ChitsLeft {
        let mut sums = vec![0; of_each.len() + 1];
        for (class, inside) in of_each.iter().enumerate() {
            let place = class + 1;
            sums[place] += inside;
            let sum = sums[place];
            if let Some(above) = sums.get_mut(place + lowest_bit(place)) {
                *above += sum;
            }
        }
        ChitsLeft {
            total: of_each.iter().sum(),
            of_each,
            sums,
        }
    }

    /// The class of a chit, if they lie in a row by class: the first class that reaches beyond the ticket.
    pub fn class_of(&self, mut ticket: u32) -> usize {
        let mut class = 0;
        let mut step = self.sums.len().next_power_of_two() / 2;
        while step > 0 {
            if let Some(sum) = self.sums.get(class + step).filter(|sum| **sum <= ticket) {
                ticket -= sum;
                class += step;
            }
            step /= 2;
        }
        class
    }

    pub fn take_one(&mut self, class: usize) {
        self.total -= 1;
        self.of_each[class] -= 1;
        let mut place = class + 1;
        while let Some(sum) = self.sums.get_mut(place) {
            *sum -= 1;
            place += lowest_bit(place);
        }
    }
}

fn lowest_bit(place: usize) -> usize {
    place & place.wrapping_neg()
}
