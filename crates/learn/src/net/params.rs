//! The parameters of nets.

use stakes_model::Activation;

use crate::dense::Unit;
use crate::params::{Choice, Hidden};
use crate::{choice, params};

impl Choice for Activation {
    const VALUES: &'static [Self] = &[Activation::Relu, Activation::Tanh];
    const NAMES: &'static [&'static str] = &["relu", "tanh"];
}

choice! {
    /// How weights follow their derivatives.
    pub enum Optimiser {
        /// Adam's steps, and the running mean of the weights.
        Adam = "adam",
        /// Plain gradient descent: rate x derivatives.
        Descent = "descent",
    }
}

params! {
    /// The layers of a net, and how it is trained.
    pub struct NetParams {
        /// number of units of each hidden layer; 0: a linear score
        hidden: Hidden = Hidden(vec![16]), Text("0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16"), try ["0", "16", "32,16"];
        /// activation function of hidden units
        activation: Activation = Activation::Relu, Activation::KIND;
        /// number of nets whose scores are averaged, each from other random draws; always 1 for a linear score
        nets: usize = 6, Whole(1, 100);
        /// maximum number of epochs: passes over all lists
        rounds: usize = 100, Whole(1, 100_000), alias ["epochs", "n-estimators"];
        /// adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent
        optimiser: Optimiser = Optimiser::Adam, Optimiser::KIND;
        /// learning rate: the length of Adam's steps, or the factor on derivatives in descent
        rate: f64 = 0.01, Above0(1.0), alias ["learning-rate"], try ["0.001", "0.003", "0.01", "0.03"];
        /// number of lists per step; 0: a 500th of them, at most 32
        batch: usize = 0, Whole(0, 1 << 32), alias ["batch-size"];
        /// penalty on the square of weights
        l2: f64 = 0.003, Number(0.0, 1e6), alias ["weight-decay", "lambda-l2", "reg-lambda"], try ["0", "0.001", "0.003", "0.01", "0.03"];
        /// early stopping: stop after N epochs without improvement on validation lists; 0: never
        patience: usize = 20, Whole(0, 100_000), alias ["early-stopping-rounds"];
    }
}

params! {
    /// The target shares of ListNet.
    pub struct Temperature {
        /// target shares are softmax(cost / unit / temperature): above 1 flattens them
        temperature: f64 = 1.0, Above0(1e6), try ["0.5", "1", "2", "4"];
        /// deviation: costs are divided by their deviation before the softmax; raw: costs as they are
        cost_unit: Unit = Unit::Deviation, Unit::KIND;
    }
}

params! {
    /// The steepness of pairs, and how they add up.
    pub struct Sigma {
        /// steepness of the pairwise logistic
        sigma: f64 = 1.0, Above0(100.0), try ["0.5", "1", "2"];
        /// the loss of a list: the mean over its pairs, or their sum, by which long lists count for more
        list_loss: ListLoss = ListLoss::Mean, ListLoss::KIND;
    }
}

choice! {
    /// How the losses of pairs make the loss of their list.
    pub enum ListLoss {
        /// Their mean.
        Mean = "mean",
        /// Their sum.
        Sum = "sum",
    }
}

params! {
    /// How costs and lists count in the loss of the cost captured.
    pub struct CostWeights {
        /// costs count to this power: below 1 the largest count for less
        temper: f64 = 1.0, Above0(2.0), try ["0.5", "0.7", "1"];
        /// lists are weighted by their savable cost to this power; 0: equal weights
        list_weight_power: f64 = 1.0, Number(0.0, 2.0), try ["0", "0.5", "1"];
    }
}
